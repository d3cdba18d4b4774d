import { ModelFormatError } from '../errors.js';
import { END_SYMBOL, type ModelGraph } from '../model/model-graph.js';

/**
 * Checks everything that sampling depends on: ranges, order, at least one edge per state, and a path from
 * every state to END. The numbering proves that there is a path: each state except START must have an edge to
 * END or to a state with a smaller number. Takes one pass and allocates nothing.
 */
export function checkGraph(graph: ModelGraph, symbolCount: number): void {
  checkStates(graph);
  checkEdges(graph, symbolCount);
}

function checkStates({ firstEdge, edgeSymbol, edgeTarget, edgeCumulative }: ModelGraph): void {
  const edges = edgeSymbol.length;
  if (edgeTarget.length !== edges || edgeCumulative.length !== edges) {
    throw new ModelFormatError('the edge sections differ in length');
  }
  if (firstEdge.length < 2 || firstEdge[0] !== 0 || firstEdge[firstEdge.length - 1] !== edges) {
    throw new ModelFormatError('the states do not cover the edges');
  }
  for (let state = 1; state < firstEdge.length; state += 1) {
    if ((firstEdge[state] as number) <= (firstEdge[state - 1] as number)) {
      throw new ModelFormatError(`state ${state - 1} has no edges`);
    }
  }
}

function checkEdges(graph: ModelGraph, symbolCount: number): void {
  const { firstEdge, edgeSymbol, edgeTarget, edgeCumulative } = graph;
  const states = firstEdge.length - 1;
  let edge = 0;
  for (let state = 0; state < states; state += 1) {
    const end = firstEdge[state + 1] as number;
    const limit = state === 0 ? states : state; // START may have an edge to any state
    let previousSymbol = -1;
    let sum = 0;
    let canEnd = edgeSymbol[edge] === END_SYMBOL;
    for (; edge < end; edge += 1) {
      const symbol = edgeSymbol[edge] as number;
      const target = edgeTarget[edge] as number;
      const cumulative = edgeCumulative[edge] as number;
      if (symbol <= previousSymbol) throw new ModelFormatError(`state ${state}: symbols are not ascending`);
      if (cumulative <= sum) throw new ModelFormatError(`state ${state}: counts are not ascending`);
      if (target >= states || (target === 0) !== (symbol === END_SYMBOL)) {
        throw new ModelFormatError(`state ${state}: a target is out of range`);
      }
      if (target < limit && target !== 0) canEnd = true;
      previousSymbol = symbol;
      sum = cumulative;
    }
    if (previousSymbol > symbolCount) throw new ModelFormatError(`state ${state}: a symbol is out of range`);
    if (!canEnd) throw new ModelFormatError(`state ${state} cannot end and has no edge to a smaller number`);
  }
}
