/**
 * The number of the END symbol in `edgeSymbol`. The number of any other symbol is 1 + its index in the
 * alphabet.
 */
export const END_SYMBOL = 0;

/** An array of whole numbers in the narrowest type that fits them. */
export type Cells = Uint8Array | Uint16Array | Uint32Array;

/**
 * A model as a weighted graph, in the form of the file. A state is a context. State 0 is START, the empty
 * context. The edges of state s are `firstEdge[s]` up to, but not including, `firstEdge[s + 1]`, in ascending
 * order of symbols. Every state has at least one edge.
 */
export interface ModelGraph {
  readonly firstEdge: Uint32Array;
  readonly edgeSymbol: Cells;
  /** The next state. 0 if the symbol is END, and otherwise never 0, because no edge leads to START. */
  readonly edgeTarget: Cells;
  /** The sum of the counts of a state's edges up to and including this edge. Ascends within a state. */
  readonly edgeCumulative: Cells;
}

/** Returns the count of an edge in training. Divided by `edgeTotal`, it is the edge's probability. */
export function edgeCount(graph: ModelGraph, state: number, edge: number): number {
  const before = edge === graph.firstEdge[state] ? 0 : (graph.edgeCumulative[edge - 1] as number);
  return (graph.edgeCumulative[edge] as number) - before;
}

export function edgeTotal(graph: ModelGraph, state: number): number {
  return graph.edgeCumulative[(graph.firstEdge[state + 1] as number) - 1] as number;
}

/**
 * Returns the first edge of a state whose symbol is at least `symbol`, or the end of its edges. Takes O(log
 * k).
 */
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

/** Returns the edge of a state with this symbol, or -1. Takes O(log k). */
export function findEdge(graph: ModelGraph, state: number, symbol: number): number {
  const edge = edgeFrom(graph, state, symbol);
  return edge < (graph.firstEdge[state + 1] as number) && graph.edgeSymbol[edge] === symbol ? edge : -1;
}
