import { END_SYMBOL, type ModelGraph } from '../../model/model-graph.js';

/** The target of an edge that ends the word. */
export const END_OF_WORD = -1;

/**
 * A Markov chain that can be walked. The edges of node n are `firstEdge[n]` up to, but not including,
 * `firstEdge[n + 1]`. For each edge of a node, `cumulative` contains the sum of the probabilities up to and
 * including that edge. It is exactly 1 for the last edge of the node.
 */
export interface WordChain {
  readonly firstEdge: Uint32Array;
  readonly cumulative: Float64Array;
  readonly target: Int32Array;
  /**
   * The number of the symbol in the model, ascending within a node. END_SYMBOL if the target is END_OF_WORD.
   */
  readonly symbol: Int32Array;
}

/** The start of walks: a node, and the edges that the first step may take. */
export interface WalkStart {
  readonly node: number;
  /** The first step may take the edges from `firstEdge` up to, but not including, `endEdge`. */
  readonly firstEdge: number;
  readonly endEdge: number;
}

/** Returns a start at the node, whose first step may take any edge of the node. */
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

/** Returns the probability of an edge of a node. */
export function edgeProbability(chain: WordChain, node: number, edge: number): number {
  const before = edge === chain.firstEdge[node] ? 0 : (chain.cumulative[edge - 1] as number);
  return (chain.cumulative[edge] as number) - before;
}

const freeChains = new WeakMap<ModelGraph, WordChain>();

/**
 * Returns the unconstrained chain of a model: its states are the nodes, and its transitions are the edges.
 * Builds the chain once per model.
 */
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
