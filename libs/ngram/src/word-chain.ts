import { END_SYMBOL, type ModelGraph } from './model-graph.js';

/** The target of an edge that ends the word. */
export const END_OF_WORD = -1;

/**
 * A Markov chain ready to be walked: the edges of node n are `firstEdge[n]` to `firstEdge[n + 1]` (not
 * included), their probabilities cumulative, the last of a node exactly 1.
 */
export interface WordChain {
  readonly firstEdge: Uint32Array;
  readonly cumulative: Float64Array;
  readonly target: Int32Array;
  /** Index of the symbol's code point in the model's `symbols`; meaningless for END_OF_WORD. */
  readonly symbolIndex: Uint16Array;
}

const freeChains = new WeakMap<ModelGraph, WordChain>();

/** The model itself as a chain, nodes = states; made once a model. */
export function freeChain(graph: ModelGraph): WordChain {
  const known = freeChains.get(graph);
  if (known !== undefined) return known;
  const { firstEdge, edgeSymbol, edgeTarget, edgeCumulative } = graph;
  const edges = edgeSymbol.length;
  const chain = {
    firstEdge,
    cumulative: new Float64Array(edges),
    target: new Int32Array(edges),
    symbolIndex: new Uint16Array(edges),
  };
  for (let state = 0; state + 1 < firstEdge.length; state += 1) {
    const end = firstEdge[state + 1] as number;
    const total = edgeCumulative[end - 1] as number;
    for (let edge = firstEdge[state] as number; edge < end; edge += 1) {
      const symbol = edgeSymbol[edge] as number;
      chain.cumulative[edge] = (edgeCumulative[edge] as number) / total;
      chain.target[edge] = symbol === END_SYMBOL ? END_OF_WORD : (edgeTarget[edge] as number);
      chain.symbolIndex[edge] = symbol === END_SYMBOL ? 0 : symbol - 1;
    }
  }
  freeChains.set(graph, chain);
  return chain;
}

/**
 * Whether a walk from `start` takes at most `steps` symbols with probability `share` or more. Follows the
 * distribution over nodes forward; gives up (false) after `maxSteps`.
 * Cost O(edges) a step, and it stops at the first step that reaches the share.
 */
export function mostlyEndsWithin(
  chain: WordChain,
  start: number,
  steps: number,
  share: number,
  maxSteps = 400,
): boolean {
  const nodes = chain.firstEdge.length - 1;
  let mass = new Float64Array(nodes);
  let next = new Float64Array(nodes);
  mass[start] = 1;
  let ended = 0;
  for (let step = 0; step <= steps && step <= maxSteps; step += 1) {
    next.fill(0);
    for (let node = 0; node < nodes; node += 1) {
      const here = mass[node] as number;
      if (here === 0) continue;
      let before = 0;
      for (
        let edge = chain.firstEdge[node] as number;
        edge < (chain.firstEdge[node + 1] as number);
        edge += 1
      ) {
        const cumulative = chain.cumulative[edge] as number;
        const target = chain.target[edge] as number;
        const part = here * (cumulative - before);
        if (target === END_OF_WORD) ended += part;
        else next[target] = (next[target] as number) + part;
        before = cumulative;
      }
    }
    if (ended >= share) return true;
    [mass, next] = [next, mass];
  }
  return false;
}
