/** What a mock endpoint answers with, as it was sent. Plain data. */
export interface MockDefinition {
  readonly schema: unknown;
  /** JSON whose string leaves are templates of `records`, `count` and `params`. */
  readonly wrapper: unknown;
}

/** What one answer is a function of, besides the definition and the reference instant. */
export interface MockCall {
  readonly seed: number;
  readonly count: number;
  /** Of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
}

/** Larger answers are not made: they are held in memory until they have been sent. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
