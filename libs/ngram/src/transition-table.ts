/** The symbol that ends a word; code points are all larger. */
export const END = -1;

/**
 * The transitions seen in training, in typed arrays that grow. A state is a context: the last `order - 1` code
 * points, fewer at the start of a word (so a shorter context can only be a word's start). State 0 is START.
 * Memory depends on the number of distinct transitions alone.
 */
export class TransitionTable {
  /** The context of each state, as text. */
  readonly contexts: string[] = [''];
  edgeCount = 0;
  state = new Int32Array(INITIAL_EDGES);
  symbol = new Int32Array(INITIAL_EDGES);
  target = new Int32Array(INITIAL_EDGES);
  /** Sum of weights. */
  weight = new Float64Array(INITIAL_EDGES);
  /** In how many values the transition was seen. */
  values = new Uint32Array(INITIAL_EDGES);
  private lastValue = new Uint32Array(INITIAL_EDGES);
  private slots = new Int32Array(INITIAL_EDGES * 4); // edge + 1; 0 is free
  private readonly stateOf = new Map<string, number>([['', 0]]);

  constructor(private readonly contextLength: number) {}

  /**
   * Counts one transition.
   * @param value serial number of the value it occurs in, from 1; 0 counts weight only
   * @returns the edge
   */
  count(state: number, symbol: number, weight: number, value: number): number {
    const edge = this.find(state, symbol);
    this.weight[edge] = (this.weight[edge] as number) + weight;
    if (value !== 0 && this.lastValue[edge] !== value) {
      this.lastValue[edge] = value;
      this.values[edge] = (this.values[edge] as number) + 1;
    }
    return edge;
  }

  private find(state: number, symbol: number): number {
    const mask = this.slots.length - 1;
    let slot = hash(state, symbol) & mask;
    for (;;) {
      const edge = (this.slots[slot] as number) - 1;
      if (edge < 0) return this.insert(state, symbol, slot);
      if (this.state[edge] === state && this.symbol[edge] === symbol) return edge;
      slot = (slot + 1) & mask;
    }
  }

  private insert(state: number, symbol: number, slot: number): number {
    if (this.edgeCount === this.state.length) {
      this.grow();
      return this.find(state, symbol);
    }
    const edge = this.edgeCount++;
    this.slots[slot] = edge + 1;
    this.state[edge] = state;
    this.symbol[edge] = symbol;
    this.target[edge] = symbol === END ? 0 : this.nextState(state, symbol);
    return edge;
  }

  private nextState(state: number, symbol: number): number {
    const points = [...(this.contexts[state] as string), String.fromCodePoint(symbol)];
    const context = points.slice(-this.contextLength).join('');
    const known = this.stateOf.get(context);
    if (known !== undefined) return known;
    const added = this.contexts.push(context) - 1;
    this.stateOf.set(context, added);
    return added;
  }

  private grow(): void {
    const size = this.state.length * 2;
    this.state = enlarged(this.state, new Int32Array(size));
    this.symbol = enlarged(this.symbol, new Int32Array(size));
    this.target = enlarged(this.target, new Int32Array(size));
    this.weight = enlarged(this.weight, new Float64Array(size));
    this.values = enlarged(this.values, new Uint32Array(size));
    this.lastValue = enlarged(this.lastValue, new Uint32Array(size));
    this.slots = new Int32Array(size * 4);
    const mask = this.slots.length - 1;
    for (let edge = 0; edge < this.edgeCount; edge += 1) {
      let slot = hash(this.state[edge] as number, this.symbol[edge] as number) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = edge + 1;
    }
  }
}

const INITIAL_EDGES = 1024;

function hash(state: number, symbol: number): number {
  const mixed = Math.imul(state, 0x9e3779b1) ^ Math.imul(symbol + 1, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function enlarged<T extends Int32Array | Uint32Array | Float64Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
