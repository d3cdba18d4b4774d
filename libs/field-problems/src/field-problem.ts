/** A mistake in a document that somebody wrote: where it is, what was expected and the kind of what came. Never a value. */
export interface FieldProblem {
  /** `tables[0].columns.email` */
  readonly field: string;
  readonly message: string;
}
