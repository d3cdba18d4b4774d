import type { ConstraintProduct } from './constraint-product.js';
import { END_OF_WORD, type WordChain } from '../chain/word-chain.js';

/**
 * Converts a product to a chain whose walks always end at a permitted end (Doob's h-transform). Each edge is
 * weighted by the probability that a walk over it reaches a permitted end. Nodes that cannot reach one are
 * left out. Node 0 stays node 0.
 * @param finish from `finishProbabilities`; positive for node 0
 */
export function conditionedChain(product: ConstraintProduct, finish: Float64Array): WordChain {
  const { nodeCount, firstEdge, target, probability, symbol } = product;
  const weight = (edge: number) => {
    const to = target[edge] as number;
    return (probability[edge] as number) * (to === END_OF_WORD ? 1 : (finish[to] as number));
  };
  const number = new Int32Array(nodeCount).fill(-1);
  let nodes = 0;
  let edges = 0;
  for (let node = 0; node < nodeCount; node += 1) {
    if (finish[node] === 0) continue;
    number[node] = nodes++;
    for (let edge = firstEdge[node] as number; edge < (firstEdge[node + 1] as number); edge += 1) {
      if (weight(edge) > 0) edges += 1;
    }
  }
  const chain = {
    firstEdge: new Uint32Array(nodes + 1),
    cumulative: new Float64Array(edges),
    target: new Int32Array(edges),
    symbol: new Int32Array(edges),
  };
  let at = 0;
  for (let node = 0; node < nodeCount; node += 1) {
    if (finish[node] === 0) continue;
    const first = at;
    let sum = 0;
    for (let edge = firstEdge[node] as number; edge < (firstEdge[node + 1] as number); edge += 1) {
      const part = weight(edge);
      if (part === 0) continue;
      sum += part;
      const to = target[edge] as number;
      chain.cumulative[at] = sum;
      chain.target[at] = to === END_OF_WORD ? END_OF_WORD : (number[to] as number);
      chain.symbol[at] = symbol[edge] as number;
      at += 1;
    }
    normalize(chain.cumulative, first, at, sum);
    chain.firstEdge[(number[node] as number) + 1] = at;
  }
  return chain;
}

/**
 * Converts `cumulative[first, end)` to the cumulative probabilities of a node whose weights add up to `sum`.
 */
export function normalize(cumulative: Float64Array, first: number, end: number, sum: number): void {
  for (let edge = first; edge < end; edge += 1) cumulative[edge] = (cumulative[edge] as number) / sum;
  cumulative[end - 1] = 1;
}
