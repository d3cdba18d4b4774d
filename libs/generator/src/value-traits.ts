/** What is known of a generator's values besides their number. */
export interface ValueTraits {
  /**
   * Set where two rows have the same value with a probability of at most 2^-90, whatever else they hold: uuids, long
   * nanoids, texts with one in them. `length` is in characters, undefined when it is not always the same.
   */
  readonly roomy?: { readonly length: number | undefined };
  /** Set where every value has a number. */
  readonly numbered?: NumberedValues;
  /** Rows with other numbers have other values. */
  readonly neverRepeats?: true;
}

/** All values of a generator, each once. */
export interface NumberedValues {
  /** At most 2^53. */
  readonly count: number;
  /** @param number 0 to count - 1 */
  readonly at: (number: number) => unknown;
  /** Set where they are the integers from this one on, in order. */
  readonly from?: number;
}
