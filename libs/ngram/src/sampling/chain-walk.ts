import { math, type RandomStream } from '@understudy/random';
import { edgeProbability, END_OF_WORD, type WalkStart, type WordChain } from './word-chain.js';

/** Walks a chain; `path` then holds the edges of the last walk, that to END not counted. Serves one thread. */
export class ChainWalk {
  path = new Int32Array(64);
  length = 0;

  constructor(
    readonly chain: WordChain,
    readonly start: WalkStart,
  ) {}

  /**
   * One walk from the start. Allocates nothing. Cost O(log k) a symbol for k continuations.
   * @returns whether it took at most `maxSteps` symbols; if not, `length` is one more
   */
  walk(random: RandomStream, maxSteps: number): boolean {
    const { firstEdge, cumulative, target } = this.chain;
    let { path } = this;
    let edge = this.firstStep(random);
    let length = 0;
    for (;;) {
      const node = target[edge] as number;
      if (node === END_OF_WORD) {
        this.length = length;
        return true;
      }
      if (length === path.length) path = this.growPath();
      path[length++] = edge;
      if (length > maxSteps) {
        this.length = length;
        return false;
      }
      edge = firstEdge[node] as number;
      let last = (firstEdge[node + 1] as number) - 1;
      if (edge === last) continue; // no choice, no draw
      const drawn = random.float53();
      while (edge < last) {
        const middle = (edge + last) >>> 1;
        if (drawn < (cumulative[middle] as number)) last = middle;
        else edge = middle + 1;
      }
    }
  }

  /** The logarithm of the probability that a walk is the last one, which ended. */
  lastLogProbability(): number {
    const { chain, start, path, length } = this;
    let node = start.node;
    let sum = -math.log(this.startMass());
    for (let i = 0; i < length; i += 1) {
      const edge = path[i] as number;
      sum += math.log(edgeProbability(chain, node, edge));
      node = chain.target[edge] as number;
    }
    const end = chain.firstEdge[node] as number; // END is the first symbol of a node that has it
    return sum + math.log(edgeProbability(chain, node, end));
  }

  private firstStep(random: RandomStream): number {
    const { cumulative } = this.chain;
    const { firstEdge, endEdge } = this.start;
    let edge = firstEdge;
    let last = endEdge - 1;
    if (edge === last) return edge;
    const before = this.massBeforeStart();
    const drawn = before + random.float53() * ((cumulative[last] as number) - before);
    while (edge < last) {
      const middle = (edge + last) >>> 1;
      if (drawn < (cumulative[middle] as number)) last = middle;
      else edge = middle + 1;
    }
    return edge;
  }

  private massBeforeStart(): number {
    const { node, firstEdge } = this.start;
    return firstEdge === this.chain.firstEdge[node] ? 0 : (this.chain.cumulative[firstEdge - 1] as number);
  }

  /** The probability of the edges that the first step may take. */
  private startMass(): number {
    return (this.chain.cumulative[this.start.endEdge - 1] as number) - this.massBeforeStart();
  }

  private growPath(): Int32Array<ArrayBuffer> {
    const larger = new Int32Array(this.path.length * 2);
    larger.set(this.path);
    this.path = larger;
    return larger;
  }
}
