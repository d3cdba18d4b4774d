/** The number of the END symbol in `edgeSymbol`; others are 1 + their index in the alphabet. */
export const END_SYMBOL = 0;

/** An array of whole numbers in the narrowest elements that hold them. */
export type Cells = Uint8Array | Uint16Array | Uint32Array;

/**
 * A model as a weighted graph, as it stands in the file. A state is a context; state 0 is START, the empty one. The
 * edges of state s are `firstEdge[s]` to `firstEdge[s + 1]` (not included), ascending by symbol, at least one.
 */
export interface ModelGraph {
  readonly firstEdge: Uint32Array;
  readonly edgeSymbol: Cells;
  /** The next state, never START; 0 for END. */
  readonly edgeTarget: Cells;
  /** Sums of the counts of a state's edges up to and with this one: ascending within a state. */
  readonly edgeCumulative: Cells;
}

/** How often the edge was seen, of `edgeTotal`. */
export function edgeCount(graph: ModelGraph, state: number, edge: number): number {
  const before = edge === graph.firstEdge[state] ? 0 : (graph.edgeCumulative[edge - 1] as number);
  return (graph.edgeCumulative[edge] as number) - before;
}

export function edgeTotal(graph: ModelGraph, state: number): number {
  return graph.edgeCumulative[(graph.firstEdge[state + 1] as number) - 1] as number;
}

/** The first edge of a state whose symbol is not below `symbol`, or the end of its edges. Cost O(log k). */
export function edgeFrom(graph: ModelGraph, state: number, symbol: number): number {
  let low = graph.firstEdge[state] as number;
  let high = graph.firstEdge[state + 1] as number;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((graph.edgeSymbol[middle] as number) < symbol) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The edge of a state with this symbol, or -1. Cost O(log k). */
export function findEdge(graph: ModelGraph, state: number, symbol: number): number {
  const edge = edgeFrom(graph, state, symbol);
  return edge < (graph.firstEdge[state + 1] as number) && graph.edgeSymbol[edge] === symbol ? edge : -1;
}
