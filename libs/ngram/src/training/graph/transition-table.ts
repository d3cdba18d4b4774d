import { TrainingError } from '../../errors.js';

/** The symbol that ends a value. All other symbols are numbers from 0. */
export const END = -1;

/** The positions of the 32-bit words in a transition's record. */
const STATE = 0;
const SYMBOL = 1;
const TARGET = 2;
const VALUES = 3;
const LAST_VALUE = 4;
const EDGE_WORDS = 8;
/** The weight is a 64-bit double in words 6 and 7 of a record, so its index in the array of doubles is 3. */
const WEIGHT = 3;
const EDGE_DOUBLES = 4;

/** The positions of the 32-bit words in a state's record. The context fills the rest, padded with END. */
const FIRST_EDGE = 0;
const CONTEXT = 1;

const INITIAL_EDGES = 1024;
const INITIAL_STATES = 1024;

/**
 * The transitions that occurred in training, in growing typed arrays. A state is a context: the last
 * `order - 1` symbols, or fewer near the start of a value. State 0 is START.
 *
 * Memory depends only on the number of distinct transitions. The record of a state refers to its first
 * transition. Most states have only this transition. Further transitions are found through a hash table.
 */
export class TransitionTable {
  edgeCount = 0;
  stateCount = 1;
  private edges = new Int32Array(INITIAL_EDGES * EDGE_WORDS);
  private weights = new Float64Array(this.edges.buffer);
  /**
   * A hash table of the transitions that are not the first of their state: edge + 1, or 0 for a free slot.
   */
  private edgeSlots = new Int32Array(INITIAL_EDGES);
  private slottedEdges = 0;
  private states: Int32Array;
  /**
   * A hash table. Each slot is a pair of a state and its hash. State 0 marks a free slot, because START is
   * never looked up.
   */
  private stateSlots = new Int32Array(INITIAL_STATES * 4);
  private readonly stateWords: number;
  private readonly scratch: Int32Array;

  constructor(
    private readonly contextLength: number,
    private readonly maxEdges: number,
  ) {
    this.stateWords = CONTEXT + contextLength;
    this.states = new Int32Array(INITIAL_STATES * this.stateWords);
    this.states[FIRST_EDGE] = -1;
    this.scratch = new Int32Array(contextLength);
  }

  stateOf(edge: number): number {
    return this.edges[edge * EDGE_WORDS + STATE] as number;
  }

  symbolOf(edge: number): number {
    return this.edges[edge * EDGE_WORDS + SYMBOL] as number;
  }

  /** Returns the next state, 0 for END. */
  targetOf(edge: number): number {
    return this.edges[edge * EDGE_WORDS + TARGET] as number;
  }

  /** Returns the number of values in which the transition occurred. */
  valuesOf(edge: number): number {
    return (this.edges[edge * EDGE_WORDS + VALUES] as number) >>> 0;
  }

  /** Returns the sum of the weights with which the transition occurred. */
  weightOf(edge: number): number {
    return this.weights[edge * EDGE_DOUBLES + WEIGHT] as number;
  }

  /**
   * Counts the transitions of one value, from START to END.
   * @param symbols `symbols[0, length)`, each from 0
   * @param value the serial number of a new value, from 1; 0 for a repeat, which adds only its weight
   * @throws TrainingError if the budget is exceeded
   */
  learn(symbols: Int32Array, length: number, weight: number, value: number): void {
    const { stateWords } = this;
    let { edges, weights, states } = this;
    let state = 0;
    for (let i = 0; i <= length; i += 1) {
      const symbol = i === length ? END : (symbols[i] as number);
      let edge = states[state * stateWords + FIRST_EDGE] as number;
      if (edge < 0 || edges[edge * EDGE_WORDS + SYMBOL] !== symbol) {
        edge = this.findOrAdd(state, symbol, symbols, i);
        ({ edges, weights, states } = this); // they may have been reallocated
      }
      const record = edge * EDGE_WORDS;
      const sum = edge * EDGE_DOUBLES + WEIGHT;
      weights[sum] = (weights[sum] as number) + weight;
      if (value !== 0 && edges[record + LAST_VALUE] !== value) {
        edges[record + LAST_VALUE] = value;
        edges[record + VALUES] = (edges[record + VALUES] as number) + 1;
      }
      state = edges[record + TARGET] as number;
    }
  }

  /**
   * Returns the transition for `symbols[at]` from a state whose first transition, if any, has another symbol.
   */
  private findOrAdd(state: number, symbol: number, symbols: Int32Array, at: number): number {
    const { edges, edgeSlots } = this;
    if ((this.states[state * this.stateWords + FIRST_EDGE] as number) >= 0) {
      const mask = edgeSlots.length - 1;
      for (let slot = hash(state, symbol) & mask; ; slot = (slot + 1) & mask) {
        const edge = (edgeSlots[slot] as number) - 1;
        if (edge < 0) break;
        const record = edge * EDGE_WORDS;
        if (edges[record + SYMBOL] === symbol && edges[record + STATE] === state) return edge;
      }
    }
    return this.addEdge(state, symbol, symbols, at);
  }

  private addEdge(state: number, symbol: number, symbols: Int32Array, at: number): number {
    if (this.edgeCount === this.maxEdges) {
      throw new TrainingError(
        `the values contain more than ${this.maxEdges} distinct transitions; lower the order`,
      );
    }
    const edge = this.edgeCount++;
    const record = edge * EDGE_WORDS;
    if (record === this.edges.length) {
      this.edges = enlarged(this.edges, new Int32Array(record * 2));
      this.weights = new Float64Array(this.edges.buffer);
    }
    this.edges[record + STATE] = state;
    this.edges[record + SYMBOL] = symbol;
    const first = state * this.stateWords + FIRST_EDGE;
    if ((this.states[first] as number) < 0) this.states[first] = edge;
    else this.placeEdge(state, symbol, edge);
    this.edges[record + TARGET] = symbol === END ? 0 : this.stateAfter(symbols, at);
    return edge;
  }

  private placeEdge(state: number, symbol: number, edge: number): void {
    this.slottedEdges += 1;
    if (this.slottedEdges * 2 > this.edgeSlots.length) this.growEdgeSlots();
    insert(this.edgeSlots, hash(state, symbol), edge + 1);
  }

  /** Returns the state after `symbols[at]`. Its context ends with that symbol. */
  private stateAfter(symbols: Int32Array, at: number): number {
    const { contextLength, scratch } = this;
    const first = Math.max(0, at + 1 - contextLength);
    let mixed = 0;
    for (let i = 0; i < contextLength; i += 1) {
      const symbol = first + i <= at ? (symbols[first + i] as number) : END;
      scratch[i] = symbol;
      mixed = Math.imul(mixed ^ symbol, 0x9e3779b1);
      mixed ^= mixed >>> 15;
    }
    const { stateSlots } = this;
    const mask = stateSlots.length / 2 - 1;
    for (let slot = mixed & mask; ; slot = (slot + 1) & mask) {
      const state = stateSlots[slot * 2] as number;
      if (state === 0) return this.addState(slot, mixed);
      if (stateSlots[slot * 2 + 1] === mixed && this.hasContext(state)) return state;
    }
  }

  private hasContext(state: number): boolean {
    const { states, scratch, contextLength } = this;
    const start = state * this.stateWords + CONTEXT;
    for (let i = 0; i < contextLength; i += 1) if (states[start + i] !== scratch[i]) return false;
    return true;
  }

  private addState(slot: number, mixed: number): number {
    const state = this.stateCount++;
    const record = state * this.stateWords;
    if (record + this.stateWords > this.states.length) {
      this.states = enlarged(this.states, new Int32Array(this.states.length * 2));
    }
    this.states[record + FIRST_EDGE] = -1;
    this.states.set(this.scratch, record + CONTEXT);
    this.stateSlots[slot * 2] = state;
    this.stateSlots[slot * 2 + 1] = mixed;
    if (this.stateCount * 4 > this.stateSlots.length) this.growStateSlots();
    return state;
  }

  private growEdgeSlots(): void {
    const old = this.edgeSlots;
    this.edgeSlots = new Int32Array(old.length * 2);
    for (const held of old) {
      if (held !== 0) insert(this.edgeSlots, hash(this.stateOf(held - 1), this.symbolOf(held - 1)), held);
    }
  }

  private growStateSlots(): void {
    const old = this.stateSlots;
    const larger = new Int32Array(old.length * 2);
    const mask = old.length - 1;
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] === 0) continue;
      let slot = (old[i + 1] as number) & mask;
      while (larger[slot * 2] !== 0) slot = (slot + 1) & mask;
      larger[slot * 2] = old[i] as number;
      larger[slot * 2 + 1] = old[i + 1] as number;
    }
    this.stateSlots = larger;
  }
}

function insert(slots: Int32Array, hashed: number, entry: number): void {
  const mask = slots.length - 1;
  let slot = hashed & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = entry;
}

function hash(state: number, symbol: number): number {
  const mixed = Math.imul(state, 0x9e3779b1) ^ Math.imul(symbol + 1, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function enlarged<T extends Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
