/** The limits of one request. The limits of texts and expressions are in libs/expression. */
export const BUDGETS = Object.freeze({
  generators: 1000,
  jsonDepth: 64,
  /**
   * The depth of nested generators, including those inside of registered compositions. The limit protects the
   * call stack.
   */
  generatorDepth: 200,
  /**
   * The params that a registered composition declares. Each use of the composition needs one slot per param.
   */
  compositionParams: 100,
  /** The problems that are collected for one definition. */
  problems: 100,
  leafValuesPerRecord: 100_000,
  leafValuesPerRequest: 10_000_000,
  /** The list elements that `where` inspects. Each costs about 300 ns. */
  candidatesPerRequest: 100_000_000,
  /** The characters of all texts and keys of one record. */
  textPerRecord: 4 * 1024 * 1024,
  /**
   * The variables of a multivariate draw. Their correlation matrix is factorised once, and again for each row
   * that changes the matrix.
   */
  variables: 100,
  /** The events of a sequence. */
  events: 1000,
  /** The retries of a `unique` value after the first draw. */
  uniqueRetries: 200,
  /** The retries after the first value of a composition, until a value meets the constraints. */
  constraintRetries: 1000,
  /** The values that a `unique` remembers. A JavaScript Set can hold 2^24. */
  uniqueValues: 16_000_000,
});
