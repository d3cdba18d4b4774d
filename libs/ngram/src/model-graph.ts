/** The number of the END symbol in `edgeSymbol`; others are 1 + their index in `symbols`. */
export const END_SYMBOL = 0;

/**
 * A model as a weighted graph, as it stands in the file. State 0 is START; the edges of state s are
 * `firstEdge[s]` to `firstEdge[s + 1]` (not included), ascending by symbol, at least one.
 */
export interface ModelGraph {
  /** Code points, ascending. */
  readonly symbols: Uint32Array;
  readonly firstEdge: Uint32Array;
  readonly edgeSymbol: Uint16Array;
  /** The next state; 0 for END. */
  readonly edgeTarget: Uint32Array;
  /** Sums of the counts of a state's edges up to and with this one: ascending within a state. */
  readonly edgeCumulative: Uint32Array;
}

/** How often the edge was seen, of `edgeTotal`. */
export function edgeCount(graph: ModelGraph, state: number, edge: number): number {
  const before = edge === graph.firstEdge[state] ? 0 : (graph.edgeCumulative[edge - 1] as number);
  return (graph.edgeCumulative[edge] as number) - before;
}

export function edgeTotal(graph: ModelGraph, state: number): number {
  return graph.edgeCumulative[(graph.firstEdge[state + 1] as number) - 1] as number;
}

/** The edge of a state with this symbol, or -1. Cost O(log k). */
export function findEdge(graph: ModelGraph, state: number, symbol: number): number {
  let low = graph.firstEdge[state] as number;
  let high = graph.firstEdge[state + 1] as number;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((graph.edgeSymbol[middle] as number) < symbol) low = middle + 1;
    else high = middle;
  }
  return low < (graph.firstEdge[state + 1] as number) && graph.edgeSymbol[low] === symbol ? low : -1;
}

/** The symbol number of a code point, or -1. Cost O(log symbols). */
export function findSymbol(graph: ModelGraph, point: number): number {
  let low = 0;
  let high = graph.symbols.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((graph.symbols[middle] as number) < point) low = middle + 1;
    else high = middle;
  }
  return graph.symbols[low] === point ? low + 1 : -1;
}
