import { ExpressionError, EvaluationError } from './errors.js';

/** What keeps a definition from costing more than it looks. Sizes are bytes of UTF-8. */
export const LIMITS = Object.freeze({
  /** One expression's source. */
  sourceBytes: 4096,
  /** Parts of one expression. */
  nodes: 1000,
  /** Parts of all the expressions of a template together. */
  templateNodes: 10_000,
  depth: 64,
  /** A template's source, a rendered template, and every text that a function or an operator makes. */
  textBytes: 65_536,
  /** Values in an array that an expression makes, those inside of its elements included. */
  arrayValues: 100_000,
  /** Levels of arrays and objects in an array that an expression makes, and in a value written as text. */
  valueDepth: 256,
  /** Characters and array elements that one evaluation goes through: 64 of the longest texts. */
  work: 4_194_304,
});

export function sourceTooLong(position: number): ExpressionError {
  return new ExpressionError(`an expression is at most ${LIMITS.sourceBytes} bytes long`, position, true);
}

// One counter serves all expressions: an evaluation ends before another begins, since nothing it calls evaluates.
let spent = 0;

/** Begins an evaluation. */
export function beginWork(): void {
  spent = 0;
}

/**
 * Accounts for work before it is done: characters to go through or to write, elements to visit. What costs the same
 * for every value needs no account, the number of nodes bounds it.
 * @throws EvaluationError when the evaluation has used up its budget
 */
export function spend(units: number): void {
  spent += units;
  if (spent > LIMITS.work) {
    throw new EvaluationError(
      `an expression goes through at most ${LIMITS.work} characters and array elements`,
      true,
    );
  }
}
