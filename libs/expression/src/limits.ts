/** What keeps a definition from costing more than it looks. Sizes are bytes of UTF-8. */
export const LIMITS = Object.freeze({
  /** One expression's source. */
  sourceBytes: 4096,
  nodes: 1000,
  depth: 64,
  /** A template's source, a rendered template, and every text that a function or an operator makes. */
  textBytes: 65_536,
});
