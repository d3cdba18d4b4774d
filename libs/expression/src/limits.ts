import { ExpressionError, EvaluationError } from './errors.js';

/** Limits on the cost of one expression or template. Sizes are bytes of UTF-8. */
export const LIMITS = Object.freeze({
  /** The source of one expression. */
  sourceBytes: 4096,
  /** The nodes of one expression's syntax tree. */
  nodes: 1000,
  /** The nodes of all expressions of a template together. */
  templateNodes: 10_000,
  depth: 64,
  /**
   * The source of a template, a rendered template, and every text that a function or an operator produces.
   */
  textBytes: 65_536,
  /**
   * The values in an array that an expression creates, including the values inside nested arrays and objects.
   */
  arrayValues: 100_000,
  /**
   * The levels of arrays and objects in an array that an expression creates, and in a value that becomes
   * text.
   */
  valueDepth: 256,
  /**
   * The characters and array elements that one evaluation may process. Equals 64 texts of the maximum length.
   */
  work: 4_194_304,
});

export function sourceTooLong(position: number): ExpressionError {
  return new ExpressionError(`an expression may be at most ${LIMITS.sourceBytes} bytes long`, position, true);
}

// All expressions share one counter, because evaluations never overlap: no evaluation starts another one.
let spent = 0;

/** Resets the work counter at the start of an evaluation. */
export function beginWork(): void {
  spent = 0;
}

/**
 * Counts work against the budget. Call it before the work, with the number of characters to process or
 * elements to visit. Operations with a constant cost are not counted, because the number of nodes limits
 * them.
 * @throws EvaluationError if the evaluation exceeds its budget
 */
export function spend(units: number): void {
  spent += units;
  if (spent > LIMITS.work) {
    throw new EvaluationError(
      `an expression may process at most ${LIMITS.work} characters and array elements`,
      true,
    );
  }
}
