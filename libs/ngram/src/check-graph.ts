import { ModelFormatError } from './errors.js';
import { END_SYMBOL, type ModelGraph } from './model-graph.js';

/**
 * Everything sampling relies on: ranges, order, at least one edge a state, and that every state can end.
 * Allocates at most 4 bytes an edge and 9 a state, less than the graph itself takes.
 */
export function checkGraph(graph: ModelGraph): void {
  checkSymbols(graph.symbols);
  checkStates(graph);
  checkEdges(graph);
  checkEndings(graph);
}

function checkSymbols(symbols: Uint32Array): void {
  let previous = -1;
  for (const point of symbols) {
    if (point <= previous) throw new ModelFormatError('symbols are not in ascending order');
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) {
      throw new ModelFormatError('a symbol is no Unicode scalar value');
    }
    previous = point;
  }
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

function checkEdges({ symbols, firstEdge, edgeSymbol, edgeTarget, edgeCumulative }: ModelGraph): void {
  const states = firstEdge.length - 1;
  for (let state = 0; state < states; state += 1) {
    let previousSymbol = -1;
    let sum = 0;
    for (let edge = firstEdge[state] as number; edge < (firstEdge[state + 1] as number); edge += 1) {
      const symbol = edgeSymbol[edge] as number;
      const target = edgeTarget[edge] as number;
      const cumulative = edgeCumulative[edge] as number;
      if (symbol <= previousSymbol) throw new ModelFormatError(`state ${state}: symbols are not ascending`);
      if (symbol > symbols.length) throw new ModelFormatError(`state ${state}: a symbol is out of range`);
      if (target >= states) throw new ModelFormatError(`state ${state}: a target is out of range`);
      if (symbol === END_SYMBOL && target !== 0)
        throw new ModelFormatError(`state ${state}: END has a target`);
      if (cumulative <= sum) throw new ModelFormatError(`state ${state}: counts are not ascending`);
      previousSymbol = symbol;
      sum = cumulative;
    }
  }
}

/** Walks back from the states that have an END edge. */
function checkEndings({ firstEdge, edgeSymbol, edgeTarget }: ModelGraph): void {
  const states = firstEdge.length - 1;
  const firstSource = new Uint32Array(states + 1);
  edgeSymbol.forEach((symbol, edge) => {
    if (symbol === END_SYMBOL) return;
    const at = (edgeTarget[edge] as number) + 1;
    firstSource[at] = (firstSource[at] as number) + 1;
  });
  for (let i = 1; i <= states; i += 1)
    firstSource[i] = (firstSource[i] as number) + (firstSource[i - 1] as number);

  // Filling a group moves its start to its end, which is the start of the next: so group s is then
  // [firstSource[s - 1], firstSource[s]).
  const sources = new Uint32Array(firstSource[states] as number);
  const canEnd = new Uint8Array(states);
  const queue = new Uint32Array(states);
  let queued = 0;
  for (let state = 0; state < states; state += 1) {
    const first = firstEdge[state] as number;
    if (edgeSymbol[first] === END_SYMBOL) {
      canEnd[state] = 1;
      queue[queued++] = state;
    }
    for (let edge = first; edge < (firstEdge[state + 1] as number); edge += 1) {
      if (edgeSymbol[edge] === END_SYMBOL) continue;
      const target = edgeTarget[edge] as number;
      const at = firstSource[target] as number;
      sources[at] = state;
      firstSource[target] = at + 1;
    }
  }
  for (let next = 0; next < queued; next += 1) {
    const state = queue[next] as number;
    const last = firstSource[state] as number;
    for (let i = state === 0 ? 0 : (firstSource[state - 1] as number); i < last; i += 1) {
      const source = sources[i] as number;
      if (canEnd[source] === 1) continue;
      canEnd[source] = 1;
      queue[queued++] = source;
    }
  }
  if (queued !== states) throw new ModelFormatError(`${states - queued} states can never end`);
}
