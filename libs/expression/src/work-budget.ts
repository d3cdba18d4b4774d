import { EvaluationError } from './errors.js';
import { LIMITS } from './limits.js';

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
