/**
 * An error in the source of an expression, found before the expression is evaluated. The message quotes
 * names, but no literals.
 */
export class ExpressionError extends Error {
  /** @param position the number of characters before the error in the given source */
  constructor(
    readonly reason: string,
    readonly position: number,
    /** True if a size limit was exceeded; false for a syntax error. */
    readonly overLimit = false,
  ) {
    super(`${reason} (at character ${position + 1})`);
    this.name = 'ExpressionError';
  }
}

/** An error that depends on values. The message names types and functions, but quotes no values. */
export class EvaluationError extends Error {
  constructor(
    message: string,
    readonly overLimit = false,
  ) {
    super(message);
    this.name = 'EvaluationError';
  }
}
