import { END_OF_WORD, type WalkStart, type WordChain } from '../chain/word-chain.js';

/**
 * A trie of sequences of symbols that are walks through a chain. It has one node for each prefix of a
 * sequence; node 0 is the start. Children have larger numbers than their parents, and ascend in the order of
 * their edges.
 */
export class ChainTrie {
  /** True if the sequences have more than `maxNodes` prefixes. The trie is then incomplete. */
  isTooLarge = false;
  nodes = 1;
  chainNode = new Int32Array(1024);
  /** The edge of the chain from the chain node of the parent to the chain node of this trie node. */
  via = new Int32Array(1024);
  /** The first child of each node. -1 if the node has no child. */
  firstChild = new Int32Array(1024);
  nextSibling = new Int32Array(1024);
  /** 1 if a sequence ends here. */
  isEnd = new Uint8Array(1024);
  private lastChild = new Int32Array(1024);
  private previous = new Int32Array(256);
  /** The number of symbols of the previous sequence that are in the trie. `nodeAt` contains their nodes. */
  private previousDepth = 0;
  private nodeAt = new Int32Array(257);

  constructor(
    private readonly chain: WordChain,
    private readonly start: WalkStart,
    private readonly maxNodes: number,
  ) {
    this.chainNode[0] = start.node;
    this.firstChild[0] = -1;
    this.nextSibling[0] = -1;
  }

  /**
   * Adds a sequence of symbols. Sequences must be added in ascending order. Has no effect for a sequence that
   * is not a walk through the chain.
   */
  add(symbols: Int32Array, length: number): void {
    if (this.isTooLarge) return;
    if (length > this.previous.length) {
      this.previous = enlarged(this.previous, new Int32Array(length * 2));
      this.nodeAt = enlarged(this.nodeAt, new Int32Array(length * 2 + 1));
    }
    let depth = 0;
    while (depth < this.previousDepth && depth < length && this.previous[depth] === symbols[depth])
      depth += 1;
    let node = this.nodeAt[depth] as number;
    for (; depth < length; depth += 1) {
      const edge = this.findEdge(node, symbols[depth] as number);
      if (edge < 0) break;
      node = this.addNode(node, edge);
      this.previous[depth] = symbols[depth] as number;
      this.nodeAt[depth + 1] = node;
    }
    this.previousDepth = depth;
    if (depth === length) this.isEnd[node] = 1;
  }

  /**
   * Returns the first of the chain's edges that continue from a trie node. `endEdgeOf` returns the end of
   * these edges.
   */
  firstEdgeOf(node: number): number {
    if (node === 0) return this.start.firstEdge;
    return this.chain.firstEdge[this.chainNode[node] as number] as number;
  }

  endEdgeOf(node: number): number {
    if (node === 0) return this.start.endEdge;
    return this.chain.firstEdge[(this.chainNode[node] as number) + 1] as number;
  }

  private findEdge(node: number, symbol: number): number {
    const { symbol: symbols, target } = this.chain;
    const end = this.endEdgeOf(node);
    let low = this.firstEdgeOf(node);
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((symbols[middle] as number) < symbol) low = middle + 1;
      else high = middle;
    }
    return low < end && symbols[low] === symbol && target[low] !== END_OF_WORD ? low : -1;
  }

  private addNode(parent: number, edge: number): number {
    if (this.nodes === this.maxNodes) this.isTooLarge = true;
    const node = this.nodes++;
    if (node === this.chainNode.length) this.grow();
    this.chainNode[node] = this.chain.target[edge] as number;
    this.via[node] = edge;
    this.firstChild[node] = -1;
    this.nextSibling[node] = -1;
    if (this.firstChild[parent] === -1) this.firstChild[parent] = node;
    else this.nextSibling[this.lastChild[parent] as number] = node;
    this.lastChild[parent] = node;
    return node;
  }

  private grow(): void {
    const size = this.chainNode.length * 2;
    this.chainNode = enlarged(this.chainNode, new Int32Array(size));
    this.via = enlarged(this.via, new Int32Array(size));
    this.firstChild = enlarged(this.firstChild, new Int32Array(size));
    this.lastChild = enlarged(this.lastChild, new Int32Array(size));
    this.nextSibling = enlarged(this.nextSibling, new Int32Array(size));
    this.isEnd = enlarged(this.isEnd, new Uint8Array(size));
  }
}

function enlarged<T extends Int32Array | Uint8Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
