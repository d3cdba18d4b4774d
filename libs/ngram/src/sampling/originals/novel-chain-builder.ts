import { END_SYMBOL } from '../../model/model-graph.js';
import type { ChainTrie } from './chain-trie.js';
import { normalize } from '../constraints/conditioned-chain.js';
import { edgeProbability, type WalkStart, type WordChain } from '../chain/word-chain.js';

export interface NovelChain {
  readonly chain: WordChain;
  readonly startNode: number;
  /** The probability that a walk of the base chain is not one of the originals. */
  readonly novelShare: number;
}

/**
 * Computes the weights of a trie's edges from its leaves to its root, and appends them to the base chain.
 * Trie nodes with the same continuations from the same chain node are merged, so the result is a minimal
 * automaton.
 */
export class NovelChainBuilder {
  private readonly baseNodes: number;
  /** For each trie node, the number of its node in the new chain. */
  private readonly numbers: Int32Array;
  /** The probability that a walk from the trie node is none of the sequences. */
  private readonly novel: Float64Array;
  /** A hash table of distinct nodes: trie node + 1, or 0 for a free slot. */
  private readonly slots: Int32Array;
  private firstEdge: Uint32Array;
  private cumulative: Float64Array;
  private target: Int32Array;
  private symbol: Int32Array;
  private nodes = 0;
  private edges: number;

  constructor(
    private readonly base: WordChain,
    private readonly start: WalkStart,
    private readonly trie: ChainTrie,
    private readonly maxEdges: number,
  ) {
    this.baseNodes = base.firstEdge.length - 1;
    this.edges = base.target.length;
    this.numbers = new Int32Array(trie.nodes);
    this.novel = new Float64Array(trie.nodes);
    this.slots = new Int32Array(2 ** (33 - Math.clz32(trie.nodes)));
    this.firstEdge = enlarged(base.firstEdge, new Uint32Array(this.baseNodes + 1024));
    const size = this.edges * 2 + 1024;
    this.cumulative = enlarged(base.cumulative, new Float64Array(size));
    this.target = enlarged(base.target, new Int32Array(size));
    this.symbol = enlarged(base.symbol, new Int32Array(size));
  }

  /** @returns undefined if the chain needs more than `maxEdges` edges */
  build(): NovelChain | undefined {
    for (let node = this.trie.nodes - 1; node >= 0; node -= 1) {
      const same = this.findSame(node);
      if (same < 0) this.write(node);
      else {
        this.numbers[node] = this.numbers[same] as number;
        this.novel[node] = this.novel[same] as number;
      }
      if (this.edges > this.maxEdges) return undefined;
    }
    const chain = {
      firstEdge: this.firstEdge.slice(0, this.baseNodes + this.nodes + 1),
      cumulative: this.cumulative.slice(0, this.edges),
      target: this.target.slice(0, this.edges),
      symbol: this.symbol.slice(0, this.edges),
    };
    return {
      chain,
      startNode: this.numbers[0] as number,
      novelShare: (this.novel[0] as number) / this.startMass(),
    };
  }

  private write(node: number): void {
    const { base, trie } = this;
    const from = trie.chainNode[node] as number;
    const firstEdge = trie.firstEdgeOf(node);
    const endEdge = trie.endEdgeOf(node);
    const first = this.edges;
    this.reserve(endEdge - firstEdge);
    let at = first;
    let child = trie.firstChild[node] as number;
    let sum = 0;
    for (let edge = firstEdge; edge < endEdge; edge += 1) {
      const symbol = base.symbol[edge] as number;
      let weight = edgeProbability(base, from, edge);
      let target = base.target[edge] as number;
      if (child >= 0 && trie.via[child] === edge) {
        weight *= this.novel[child] as number;
        target = this.numbers[child] as number;
        child = trie.nextSibling[child] as number;
      } else if (symbol === END_SYMBOL && trie.isEnd[node] === 1) {
        weight = 0;
      }
      if (weight === 0) continue;
      sum += weight;
      this.cumulative[at] = sum;
      this.target[at] = target;
      this.symbol[at] = symbol;
      at += 1;
    }
    if (at > first) normalize(this.cumulative, first, at, sum);
    const number = this.baseNodes + this.nodes++;
    this.numbers[node] = number;
    this.novel[node] = sum;
    this.firstEdge[number + 1] = at;
    this.edges = at;
  }

  private reserve(edges: number): void {
    const nodes = this.baseNodes + this.nodes + 2;
    if (nodes > this.firstEdge.length) this.firstEdge = enlarged(this.firstEdge, new Uint32Array(nodes * 2));
    const size = this.edges + edges;
    if (size <= this.target.length) return;
    this.cumulative = enlarged(this.cumulative, new Float64Array(size * 2));
    this.target = enlarged(this.target, new Int32Array(size * 2));
    this.symbol = enlarged(this.symbol, new Int32Array(size * 2));
  }

  /** Returns an existing trie node with the same chain node and the same continuations, or -1. */
  private findSame(node: number): number {
    if (node === 0) return -1; // the root may have fewer edges than its chain node
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = this.hash(node) & mask;
    for (;;) {
      const held = (slots[slot] as number) - 1;
      if (held < 0) break;
      if (this.areSame(node, held)) return held;
      slot = (slot + 1) & mask;
    }
    slots[slot] = node + 1;
    return -1;
  }

  private hash(node: number): number {
    const { trie } = this;
    let mixed = Math.imul((trie.chainNode[node] as number) * 2 + (trie.isEnd[node] as number), 0x9e3779b1);
    for (let child = trie.firstChild[node] as number; child >= 0; child = trie.nextSibling[child] as number) {
      mixed = Math.imul(mixed ^ (mixed >>> 15) ^ (this.numbers[child] as number), 0x85ebca6b);
    }
    return mixed ^ (mixed >>> 13);
  }

  private areSame(node: number, other: number): boolean {
    const { trie, numbers } = this;
    if (trie.chainNode[node] !== trie.chainNode[other] || trie.isEnd[node] !== trie.isEnd[other])
      return false;
    let mine = trie.firstChild[node] as number;
    let theirs = trie.firstChild[other] as number;
    while (mine >= 0 && theirs >= 0) {
      if (numbers[mine] !== numbers[theirs] || trie.via[mine] !== trie.via[theirs]) return false;
      mine = trie.nextSibling[mine] as number;
      theirs = trie.nextSibling[theirs] as number;
    }
    return mine === theirs;
  }

  /** Returns the total probability of the edges that the first step may take. */
  private startMass(): number {
    const { node, firstEdge, endEdge } = this.start;
    let mass = 0;
    for (let edge = firstEdge; edge < endEdge; edge += 1) mass += edgeProbability(this.base, node, edge);
    return mass;
  }
}

function enlarged<T extends Int32Array | Uint32Array | Float64Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
