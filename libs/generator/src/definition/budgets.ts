/** What one request may cost. The text budgets are those of libs/expression. */
export const BUDGETS = Object.freeze({
  generators: 1000,
  jsonDepth: 64,
  /** Generators within each other, those inside of registered compositions too: what the call stack bears. */
  generatorDepth: 200,
  /** Params that a registered composition declares: each use has a place for every one. */
  compositionParams: 100,
  /** Problems of one definition that are looked for. */
  problems: 100,
  leafValuesPerRecord: 100_000,
  leafValuesPerRequest: 10_000_000,
  /** Elements of lists that `where` looks at: some 300 ns each. */
  candidatesPerRequest: 100_000_000,
  /** Characters of all texts and keys of one record: a record is written as a whole. */
  textPerRecord: 4 * 1024 * 1024,
  /** Variables of a multivariate draw: their matrix is factorised, once or for each row that changes it. */
  variables: 100,
  /** Events of a sequence. */
  events: 1000,
  /** Draws of a `unique` value after the first. */
  uniqueRetries: 200,
  /** Values of a composition that are generated after the first to meet the constraints on it. */
  constraintRetries: 1000,
  /** Values that a `unique` remembers. An engine's Set holds 2^24. */
  uniqueValues: 16_000_000,
});
