import { PlanTooLargeError } from '../../errors.js';
import { END_SYMBOL, edgeCount, edgeTotal, type ModelGraph } from '../../model/model-graph.js';
import type { ItemAutomaton } from './word-automaton.js';
import { END_OF_WORD } from '../chain/word-chain.js';

/** The start of sampling, and the bounds of the length that remains after the prefix. */
export interface ProductStart {
  readonly modelState: number;
  readonly automatonState: number;
  /** The smallest length that must follow the prefix. */
  readonly minRest: number;
  /**
   * The largest length that may follow the prefix, or Infinity. With Infinity, the nodes of the last layer have
   * edges within the layer.
   */
  readonly maxRest: number;
  /** The first step may take the edges from `firstEdge` up to, but not including, `endEdge`. Default: all. */
  readonly firstEdge?: number;
  readonly endEdge?: number;
}

/** Returns the length of a symbol, a whole number from 1. */
export type SymbolLength = (symbol: number, isFirst: boolean) => number;

/**
 * The product of model state, automaton state and position, limited to the nodes that a walk can reach. A
 * layer contains the nodes of one position. The last layer of an unbounded product contains all positions
 * from `minRest` on. Nodes are numbered layer by layer. Edges to END exist only where the word may end.
 * Arrays may be longer than the counts.
 */
export interface ConstraintProduct {
  readonly nodeCount: number;
  readonly firstEdge: Uint32Array;
  readonly target: Int32Array;
  readonly symbol: Int32Array;
  /** The probability of the edge in the model. */
  readonly probability: Float64Array;
  readonly automatonState: Int32Array;
  /** The first node of the layer whose nodes have edges within the layer. `nodeCount` if there is none. */
  readonly loopsFrom: number;
}

const MAX_SLOTS = 1 << 24;
/**
 * The maximum number of model edges to inspect, per edge that the product may have. Usually most inspected
 * edges are kept.
 */
const VISITS_AN_EDGE = 16;

/** @throws PlanTooLargeError if the product needs more than `maxEdges` edges */
export function buildProduct(
  graph: ModelGraph,
  automaton: ItemAutomaton,
  start: ProductStart,
  lengthOf: SymbolLength,
  maxEdges: number,
): ConstraintProduct {
  return new ProductBuilder(graph, automaton, start, lengthOf, maxEdges).build();
}

class ProductBuilder {
  private nodeCount = 0;
  private edges = 0;
  /** The number of model edges inspected, including those that are not kept. */
  private visits = 0;
  private modelState = new Int32Array(1024);
  private automatonState = new Int32Array(1024);
  private position = new Int32Array(1024);
  /** The node with the same model state and automaton state at the closest position before this one. */
  private nearer = new Int32Array(1024);
  /** The node of the same position that was created next. */
  private following = new Int32Array(1024);
  private target = new Int32Array(4096);
  private symbol = new Int32Array(4096);
  private probability = new Float64Array(4096);
  /** Maps model state × automaton state to the node that is farthest from the start. */
  private readonly farthest: Int32Array;
  private readonly firstOf: Int32Array;
  private readonly lastOf: Int32Array;
  private readonly lastLayer: number;

  constructor(
    private readonly graph: ModelGraph,
    private readonly automaton: ItemAutomaton,
    private readonly start: ProductStart,
    private readonly lengthOf: SymbolLength,
    private readonly maxEdges: number,
  ) {
    const slots = (graph.firstEdge.length - 1) * automaton.stateCount;
    if (slots > MAX_SLOTS) {
      throw new PlanTooLargeError(
        'contains and ends_with are too long for a model of this size; shorten them',
      );
    }
    this.farthest = new Int32Array(slots).fill(-1);
    this.lastLayer = start.maxRest === Infinity ? start.minRest : start.maxRest;
    this.firstOf = new Int32Array(this.lastLayer + 1).fill(-1);
    this.lastOf = new Int32Array(this.lastLayer + 1).fill(-1);
  }

  build(): ConstraintProduct {
    const { start, lastLayer } = this;
    const isBounded = start.maxRest !== Infinity;
    // Lists the nodes in the order of their positions, which can differ from the order of their creation.
    const order: number[] = [];
    const firstEdge: number[] = [];
    let loopsFrom = -1;
    // If only the first step is limited to some edges, the start is a separate node. A walk that returns to
    // its model state may take all edges.
    if (start.firstEdge === undefined) this.nodeOf(start.modelState, start.automatonState, 0);
    else this.addNode(start.modelState, start.automatonState, 0);
    for (let layer = 0; layer <= lastLayer; layer += 1) {
      if (layer === lastLayer && !isBounded && this.firstOf[layer] !== -1) loopsFrom = order.length;
      for (let node = this.firstOf[layer] as number; node >= 0; node = this.following[node] as number) {
        order.push(node);
        firstEdge.push(this.edges);
        const mayEnd = layer >= start.minRest && this.automaton.accepts(this.automatonState[node] as number);
        this.addEdges(node, mayEnd, isBounded ? lastLayer : Infinity);
      }
    }
    firstEdge.push(this.edges);
    return this.inOrder(order, Uint32Array.from(firstEdge), loopsFrom < 0 ? order.length : loopsFrom);
  }

  private inOrder(order: readonly number[], firstEdge: Uint32Array, loopsFrom: number): ConstraintProduct {
    const { nodeCount, target, symbol, probability } = this;
    const rank = new Int32Array(nodeCount);
    order.forEach((node, i) => {
      rank[node] = i;
    });
    for (let edge = 0; edge < this.edges; edge += 1) {
      const to = target[edge] as number;
      if (to !== END_OF_WORD) target[edge] = rank[to] as number;
    }
    const automatonState = Int32Array.from(order, (node) => this.automatonState[node] as number);
    return { nodeCount, firstEdge, target, symbol, probability, automatonState, loopsFrom };
  }

  private addEdges(node: number, mayEnd: boolean, longest: number): void {
    const { graph, automaton, start } = this;
    const state = this.modelState[node] as number;
    const matched = this.automatonState[node] as number;
    const position = this.position[node] as number;
    const total = edgeTotal(graph, state);
    const isFirst = state === 0;
    const first = (node === 0 ? start.firstEdge : undefined) ?? (graph.firstEdge[state] as number);
    const end = (node === 0 ? start.endEdge : undefined) ?? (graph.firstEdge[state + 1] as number);
    this.visits += end - first;
    if (this.visits > this.maxEdges * VISITS_AN_EDGE) throw this.tooLarge();
    for (let edge = first; edge < end; edge += 1) {
      const symbol = graph.edgeSymbol[edge] as number;
      const probability = edgeCount(graph, state, edge) / total;
      if (symbol === END_SYMBOL) {
        if (mayEnd) this.addEdge(END_OF_WORD, symbol, probability);
        continue;
      }
      const reached = position + this.lengthOf(symbol, isFirst);
      if (reached > longest) continue;
      const next = automaton.next(matched, symbol, isFirst);
      const layer = reached < this.lastLayer ? reached : this.lastLayer;
      const target = this.nodeOf(graph.edgeTarget[edge] as number, next, layer);
      this.addEdge(target, symbol, probability);
    }
  }

  /** Returns the node of a model state, an automaton state and a position. Creates it if there is none. */
  private nodeOf(state: number, matched: number, position: number): number {
    const slot = state * this.automaton.stateCount + matched;
    let later = -1;
    let node = this.farthest[slot] as number;
    while (node >= 0 && (this.position[node] as number) > position) {
      later = node;
      node = this.nearer[node] as number;
    }
    if (node >= 0 && this.position[node] === position) return node;
    const added = this.addNode(state, matched, position);
    this.nearer[added] = node;
    if (later < 0) this.farthest[slot] = added;
    else this.nearer[later] = added;
    return added;
  }

  private addNode(state: number, matched: number, position: number): number {
    const node = this.nodeCount++;
    if (node === this.modelState.length) {
      const size = node * 2;
      this.modelState = enlarged(this.modelState, new Int32Array(size));
      this.automatonState = enlarged(this.automatonState, new Int32Array(size));
      this.position = enlarged(this.position, new Int32Array(size));
      this.nearer = enlarged(this.nearer, new Int32Array(size));
      this.following = enlarged(this.following, new Int32Array(size));
    }
    this.modelState[node] = state;
    this.automatonState[node] = matched;
    this.position[node] = position;
    this.following[node] = -1;
    const before = this.lastOf[position] as number;
    if (before < 0) this.firstOf[position] = node;
    else this.following[before] = node;
    this.lastOf[position] = node;
    return node;
  }

  private addEdge(target: number, symbol: number, probability: number): void {
    if (this.edges === this.target.length) {
      if (this.edges >= this.maxEdges) {
        throw this.tooLarge();
      }
      const size = this.edges * 2;
      this.target = enlarged(this.target, new Int32Array(size));
      this.symbol = enlarged(this.symbol, new Int32Array(size));
      this.probability = enlarged(this.probability, new Float64Array(size));
    }
    this.target[this.edges] = target;
    this.symbol[this.edges] = symbol;
    this.probability[this.edges] = probability;
    this.edges += 1;
  }

  private tooLarge(): PlanTooLargeError {
    return new PlanTooLargeError(
      `the constraints need more than ${this.maxEdges} transitions; shorten contains or ends_with, ` +
        'or change max_length',
    );
  }
}

function enlarged<T extends Int32Array | Float64Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
