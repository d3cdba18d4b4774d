/** What keeps a definition from costing more than it looks. Sizes are bytes of UTF-8. */
export const LIMITS = Object.freeze({
  /** One expression's source. */
  sourceBytes: 4096,
  /** Parts of one expression. */
  nodes: 1000,
  /** Parts of all the expressions of a template together. */
  templateNodes: 10_000,
  depth: 64,
  /** A template's source, a rendered template, and every text that a function or an operator makes. */
  textBytes: 65_536,
  /** Values in an array that an expression makes, those inside of its elements included. */
  arrayValues: 100_000,
  /** Levels of arrays and objects in an array that an expression makes, and in a value written as text. */
  valueDepth: 256,
  /** Characters and array elements that one evaluation goes through: 64 of the longest texts. */
  work: 4_194_304,
});
