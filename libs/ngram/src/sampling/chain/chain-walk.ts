import { math, type RandomStream } from '@understudy/random';
import {
  DRAW_BITS,
  EDGE_BITS,
  EDGE_MASK,
  GUIDED_BITS,
  type StepTable,
  stepTable,
  stepTo,
} from './step-table.js';
import { chainBytes, edgeProbability, END_OF_WORD, type WalkStart, type WordChain } from './word-chain.js';

const TWO_26 = 67108864;
const TWO_53 = 9007199254740992;

/** Walks a chain; `path` then holds the edges of the last walk, that to END not counted. Serves one thread. */
export class ChainWalk {
  path = new Int32Array(64);
  length = 0;
  private readonly table: StepTable;
  /** As in the table, where the first step may take every edge of its node. */
  private readonly free: number | undefined;

  constructor(
    readonly chain: WordChain,
    readonly start: WalkStart,
  ) {
    this.table = stepTable(chain);
    const { node, firstEdge, endEdge } = start;
    const isFree = firstEdge === chain.firstEdge[node] && endEdge === chain.firstEdge[node + 1];
    this.free = isFree ? stepTo(chain.firstEdge, node) : undefined;
  }

  get byteLength(): number {
    return chainBytes(this.chain) + this.table.steps.byteLength + this.table.guide.byteLength;
  }

  /**
   * One walk from the start. Allocates nothing. Cost about two comparisons a symbol, O(log k) for k > 255 continuations.
   * @returns whether it took at most `maxSteps` symbols; if not, `length` is one more
   */
  walk(random: RandomStream, maxSteps: number): boolean {
    const { steps } = this.table;
    let { path } = this;
    let edge = this.firstStep(random);
    let length = 0;
    for (;;) {
      const next = steps[edge * 2 + 1] as number;
      if (next === END_OF_WORD) {
        this.length = length;
        return true;
      }
      if (length === path.length) path = this.growPath();
      path[length++] = edge;
      if (length > maxSteps) {
        this.length = length;
        return false;
      }
      edge = this.step(random, next & EDGE_MASK, next >>> EDGE_BITS);
    }
  }

  /** The symbol of the last walk's step `i`. */
  symbolAt(i: number): number {
    return this.chain.symbol[this.path[i] as number] as number;
  }

  /** Draws one of a node's edges: the first whose cumulative probability is above `float53()`. */
  private step(random: RandomStream, place: number, bits: number): number {
    if (bits === 0) return place; // no choice, no draw
    const { steps, guide } = this.table;
    const high = random.high27();
    if (bits >= GUIDED_BITS) {
      const { firstEdge } = this.chain;
      const last = (firstEdge[place + 1] as number) - 1;
      return this.search((high * TWO_26 + (random.low >>> 6)) / TWO_53, firstEdge[place] as number, last);
    }
    let edge = place + (guide[place + (high >>> (DRAW_BITS - bits))] as number);
    while (high > (steps[edge * 2] as number)) edge += 1;
    return high === steps[edge * 2]
      ? this.byLowBits((high * TWO_26 + (random.low >>> 6)) / TWO_53, edge)
      : edge;
  }

  /** Once in millions of draws the high bits do not tell. */
  private byLowBits(drawn: number, from: number): number {
    let edge = from;
    while (drawn >= (this.chain.cumulative[edge] as number)) edge += 1;
    return edge;
  }

  private search(drawn: number, from: number, to: number): number {
    const { cumulative } = this.chain;
    let edge = from;
    let last = to;
    while (edge < last) {
      const middle = (edge + last) >>> 1;
      if (drawn < (cumulative[middle] as number)) last = middle;
      else edge = middle + 1;
    }
    return edge;
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
    const { free } = this;
    if (free !== undefined) return this.step(random, free & EDGE_MASK, free >>> EDGE_BITS);
    const { firstEdge, endEdge } = this.start;
    if (endEdge - firstEdge === 1) return firstEdge;
    const before = this.massBeforeStart();
    const mass = (this.chain.cumulative[endEdge - 1] as number) - before;
    return this.search(before + random.float53() * mass, firstEdge, endEdge - 1);
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
