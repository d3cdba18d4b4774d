import { PlanTooLargeError } from './errors.js';
import { END_SYMBOL, edgeCount, edgeTotal, type ModelGraph } from './model-graph.js';
import type { WordAutomaton } from './word-automaton.js';
import { END_OF_WORD } from './word-chain.js';

/** Where sampling starts, and what the length bounds are from there (symbols still to come). */
export interface ProductStart {
  readonly modelState: number;
  readonly automatonState: number;
  readonly minRest: number;
  /** Infinity: no bound; the last layer then has edges into itself. */
  readonly maxRest: number;
}

/**
 * Model state × automaton state × position, as far as START reaches. Nodes are numbered layer by layer: a layer
 * is one position, the last of an unbounded product all positions from `minRest` on. Edges to END exist only
 * where ending is legal. Arrays may be longer than the counts.
 */
export interface ConstraintProduct {
  readonly nodeCount: number;
  readonly firstEdge: Uint32Array;
  readonly target: Int32Array;
  readonly symbolIndex: Uint16Array;
  /** The model's own probability of the edge. */
  readonly probability: Float64Array;
  readonly automatonState: Int32Array;
  /** First node of the layer with edges into itself; `nodeCount` when there is none. */
  readonly loopsFrom: number;
}

const MAX_SLOTS = 1 << 24;

/** @throws PlanTooLargeError beyond `maxEdges` edges */
export function buildProduct(
  graph: ModelGraph,
  automaton: WordAutomaton,
  start: ProductStart,
  maxEdges: number,
): ConstraintProduct {
  return new ProductBuilder(graph, automaton, start, maxEdges).build();
}

class ProductBuilder {
  private nodeCount = 0;
  private edges = 0;
  private modelState = new Int32Array(1024);
  private automatonState = new Int32Array(1024);
  private firstEdge = new Uint32Array(1025);
  private target = new Int32Array(4096);
  private symbolIndex = new Uint16Array(4096);
  private probability = new Float64Array(4096);
  /** Model state × automaton state → its node of the layer being filled. */
  private readonly nodeAt: Int32Array;

  constructor(
    private readonly graph: ModelGraph,
    private readonly automaton: WordAutomaton,
    private readonly start: ProductStart,
    private readonly maxEdges: number,
  ) {
    const slots = (graph.firstEdge.length - 1) * automaton.stateCount;
    if (slots > MAX_SLOTS) {
      throw new PlanTooLargeError(
        'contains and ends_with are too long for a model of this size; shorten them',
      );
    }
    this.nodeAt = new Int32Array(slots).fill(-1);
  }

  build(): ConstraintProduct {
    const { start } = this;
    const isBounded = start.maxRest !== Infinity;
    const lastLayer = isBounded ? start.maxRest : start.minRest;
    let layer = 0;
    let layerStart = 0;
    this.addNode(start.modelState, start.automatonState);
    let layerEnd = 1;
    for (let node = 0; node < this.nodeCount; node += 1) {
      if (node === layerEnd && layer < lastLayer) {
        layer += 1;
        layerStart = node;
        layerEnd = this.nodeCount;
      }
      const mayEnd = layer >= start.minRest && this.automaton.accepts(this.automatonState[node] as number);
      const isLast = layer === lastLayer;
      const targetsFrom = isLast ? layerStart : layerEnd; // nodes before this belong to earlier layers
      this.addEdges(node, mayEnd, !(isLast && isBounded), targetsFrom);
    }
    this.firstEdge[this.nodeCount] = this.edges;
    const { nodeCount, firstEdge, target, symbolIndex, probability, automatonState } = this;
    const reachesLoop = !isBounded && layer === lastLayer;
    const loopsFrom = reachesLoop ? layerStart : nodeCount;
    return { nodeCount, firstEdge, target, symbolIndex, probability, automatonState, loopsFrom };
  }

  private addEdges(node: number, mayEnd: boolean, mayGoOn: boolean, targetsFrom: number): void {
    const { graph, automaton } = this;
    this.firstEdge[node] = this.edges;
    const state = this.modelState[node] as number;
    const matched = this.automatonState[node] as number;
    const total = edgeTotal(graph, state);
    for (
      let edge = graph.firstEdge[state] as number;
      edge < (graph.firstEdge[state + 1] as number);
      edge += 1
    ) {
      const symbol = graph.edgeSymbol[edge] as number;
      if (symbol === END_SYMBOL ? !mayEnd : !mayGoOn) continue;
      const target =
        symbol === END_SYMBOL
          ? END_OF_WORD
          : this.nodeOf(graph.edgeTarget[edge] as number, automaton.next(matched, symbol), targetsFrom);
      this.addEdge(target, symbol, edgeCount(graph, state, edge) / total);
    }
  }

  private nodeOf(state: number, matched: number, targetsFrom: number): number {
    const slot = state * this.automaton.stateCount + matched;
    const known = this.nodeAt[slot] as number;
    if (known >= targetsFrom) return known;
    const added = this.addNode(state, matched);
    this.nodeAt[slot] = added;
    return added;
  }

  private addNode(state: number, matched: number): number {
    if (this.nodeCount + 1 === this.firstEdge.length) {
      const size = this.nodeCount * 2;
      this.modelState = enlarged(this.modelState, new Int32Array(size));
      this.automatonState = enlarged(this.automatonState, new Int32Array(size));
      this.firstEdge = enlarged(this.firstEdge, new Uint32Array(size + 1));
    }
    this.modelState[this.nodeCount] = state;
    this.automatonState[this.nodeCount] = matched;
    // The start of a looping first layer must be found again, not made twice.
    if (this.nodeCount === 0) this.nodeAt[state * this.automaton.stateCount + matched] = 0;
    return this.nodeCount++;
  }

  private addEdge(target: number, symbol: number, probability: number): void {
    if (this.edges === this.target.length) {
      if (this.edges >= this.maxEdges) {
        throw new PlanTooLargeError(
          `the constraints take more than ${this.maxEdges} transitions; shorten contains or ends_with, or change max_length`,
        );
      }
      const size = this.edges * 2;
      this.target = enlarged(this.target, new Int32Array(size));
      this.symbolIndex = enlarged(this.symbolIndex, new Uint16Array(size));
      this.probability = enlarged(this.probability, new Float64Array(size));
    }
    this.target[this.edges] = target;
    this.symbolIndex[this.edges] = symbol === END_SYMBOL ? 0 : symbol - 1;
    this.probability[this.edges] = probability;
    this.edges += 1;
  }
}

function enlarged<T extends Int32Array | Uint32Array | Uint16Array | Float64Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
