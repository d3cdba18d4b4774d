/** A fault of an expression's source, found before it runs. Quotes names, never literals. */
export class ExpressionError extends Error {
  /** @param position characters before the fault, in the source that was given */
  constructor(
    readonly reason: string,
    readonly position: number,
    /** True when a size budget was exceeded, and not the grammar. */
    readonly overLimit = false,
  ) {
    super(`${reason} (at character ${position + 1})`);
    this.name = 'ExpressionError';
  }
}

/** A fault that only values show. Names types and functions, never values. */
export class EvaluationError extends Error {
  constructor(
    message: string,
    readonly overLimit = false,
  ) {
    super(message);
    this.name = 'EvaluationError';
  }
}
