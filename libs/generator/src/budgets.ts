/** What one request may cost. The text budgets are those of libs/expression. */
export const BUDGETS = Object.freeze({
  generators: 1000,
  jsonDepth: 64,
  leafValuesPerRecord: 100_000,
  leafValuesPerRequest: 10_000_000,
  /** Draws of a `unique` value after the first. */
  uniqueRetries: 200,
});
