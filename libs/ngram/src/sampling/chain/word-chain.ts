import { END_SYMBOL, type ModelGraph } from '../../model/model-graph.js';

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
  /** The model's number of the symbol, ascending within a node; END_SYMBOL where the target is END_OF_WORD. */
  readonly symbol: Int32Array;
}

/** Where walks begin: at a node, by one of some edges of it. */
export interface WalkStart {
  readonly node: number;
  /** The edges that the first step may take: `firstEdge` to `endEdge`, not included. */
  readonly firstEdge: number;
  readonly endEdge: number;
}

/** A start with all edges of its node. */
export function freeStart(chain: WordChain, node: number): WalkStart {
  return {
    node,
    firstEdge: chain.firstEdge[node] as number,
    endEdge: chain.firstEdge[node + 1] as number,
  };
}

export function chainBytes({ firstEdge, cumulative, target, symbol }: WordChain): number {
  return firstEdge.byteLength + cumulative.byteLength + target.byteLength + symbol.byteLength;
}

/** The probability of an edge of its node. */
export function edgeProbability(chain: WordChain, node: number, edge: number): number {
  const before = edge === chain.firstEdge[node] ? 0 : (chain.cumulative[edge - 1] as number);
  return (chain.cumulative[edge] as number) - before;
}

const freeChains = new WeakMap<ModelGraph, WordChain>();

/** The model itself as a chain, nodes = states and edges = edges; made once a model. */
export function freeChain(graph: ModelGraph): WordChain {
  const known = freeChains.get(graph);
  if (known !== undefined) return known;
  const { firstEdge, edgeSymbol, edgeTarget, edgeCumulative } = graph;
  const edges = edgeSymbol.length;
  const chain = {
    firstEdge,
    cumulative: new Float64Array(edges),
    target: Int32Array.from(edgeTarget),
    symbol: Int32Array.from(edgeSymbol),
  };
  for (let state = 0; state + 1 < firstEdge.length; state += 1) {
    const end = firstEdge[state + 1] as number;
    const total = edgeCumulative[end - 1] as number;
    for (let edge = firstEdge[state] as number; edge < end; edge += 1) {
      chain.cumulative[edge] = (edgeCumulative[edge] as number) / total;
      if (edgeSymbol[edge] === END_SYMBOL) chain.target[edge] = END_OF_WORD;
    }
  }
  freeChains.set(graph, chain);
  return chain;
}
