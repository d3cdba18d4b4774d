/** Where something is refused: the scanner counts the bytes of the text, the parser those of the statement around it. */
export interface ConditionPlace {
  /** Of the text, from 0. */
  readonly byte?: number;
  /** A node's `location`. */
  readonly node?: number | undefined;
}

/** A refusal of a condition. The message quotes nothing of it. */
export class ConditionError extends Error {
  constructor(
    readonly place: ConditionPlace,
    message: string,
  ) {
    super(message);
    this.name = 'ConditionError';
  }
}
