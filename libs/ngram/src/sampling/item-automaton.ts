/**
 * Reads an item of a model symbol by symbol and tells whether it may end: `contains` and `ends_with` as a
 * deterministic automaton. State 0 is where nothing was read.
 */
export interface ItemAutomaton {
  readonly stateCount: number;
  /** @param isFirst whether the symbol begins the item */
  next(state: number, symbol: number, isFirst: boolean): number;
  /** An item that ends here is a legal one. */
  accepts(state: number): boolean;
  /** Every way on from here is a legal one. */
  acceptsForEver(state: number): boolean;
}
