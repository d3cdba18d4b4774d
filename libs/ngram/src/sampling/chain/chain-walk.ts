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

/**
 * Walks a chain. Afterwards `path` contains the edges of the walk, without the edge to END. Serves one
 * thread.
 */
export class ChainWalk {
  path = new Int32Array(64);
  length = 0;
  private readonly table: StepTable;
  /**
   * The start node as the step table encodes it. Undefined if the first step is limited to some of the node's
   * edges.
   */
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
   * Walks once from the start. Allocates nothing. Costs about two comparisons per symbol, or O(log k) for k >
   * 255 continuations.
   * @returns whether the walk ended within `maxSteps` symbols; if not, `length` is `maxSteps` + 1
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

  /** Returns the symbol of step `i` of the last walk. */
  symbolAt(i: number): number {
    return this.chain.symbol[this.path[i] as number] as number;
  }

  /** Draws one of a node's edges: the first whose cumulative probability is above `float53()`. */
  private step(random: RandomStream, place: number, bits: number): number {
    if (bits === 0) return place; // a single edge needs no draw
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

  /**
   * Chooses the edge with all 53 bits of a draw. Called if the high bits of the draw equal those of an edge's
   * threshold, about once in millions of draws.
   */
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

  /** Returns the logarithm of the probability of the last walk, which must have ended. */
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

  /** Returns the total probability of the edges that the first step may take. */
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
