/**
 * An error in the source of an expression, found before it is evaluated. It quotes names, but no literals.
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

/** An error that depends on values. It names types and functions, but quotes no values. */
export class EvaluationError extends Error {
  constructor(
    message: string,
    readonly overLimit = false,
  ) {
    super(message);
    this.name = 'EvaluationError';
  }
}
