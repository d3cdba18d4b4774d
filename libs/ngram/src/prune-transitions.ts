import { END, type TransitionTable } from './transition-table.js';

/**
 * Marks the transitions that survive: seen in at least `minValues` values, on some path from START, and with
 * some path on to END. That is what removing dead ends again and again leaves: an edge into a state that cannot
 * end never lets another state end, so both directions need one sweep each.
 * @returns 1 for each edge that stays
 */
export function survivingTransitions(table: TransitionTable, minValues: number): Uint8Array {
  const alive = new Uint8Array(table.edgeCount);
  for (let edge = 0; edge < table.edgeCount; edge += 1) {
    alive[edge] = (table.values[edge] as number) >= minValues ? 1 : 0;
  }
  const canEnd = statesThatCanEnd(table, alive);
  for (let edge = 0; edge < table.edgeCount; edge += 1) {
    const ends = table.symbol[edge] === END || canEnd[table.target[edge] as number] === 1;
    if (!ends) alive[edge] = 0;
  }
  const reached = statesReached(table, alive);
  for (let edge = 0; edge < table.edgeCount; edge += 1) {
    if (reached[table.state[edge] as number] === 0) alive[edge] = 0;
  }
  return alive;
}

function statesThatCanEnd(table: TransitionTable, alive: Uint8Array): Uint8Array {
  const { first, edges } = groupEdges(table, table.target, alive);
  const marked = new Uint8Array(table.contexts.length);
  const queue: number[] = [];
  for (let edge = 0; edge < table.edgeCount; edge += 1) {
    const state = table.state[edge] as number;
    if (alive[edge] === 1 && table.symbol[edge] === END && marked[state] === 0) {
      marked[state] = 1;
      queue.push(state);
    }
  }
  for (let state = queue.pop(); state !== undefined; state = queue.pop()) {
    for (let i = first[state] as number; i < (first[state + 1] as number); i += 1) {
      const edge = edges[i] as number;
      const from = table.state[edge] as number;
      if (table.symbol[edge] === END || marked[from] === 1) continue;
      marked[from] = 1;
      queue.push(from);
    }
  }
  return marked;
}

function statesReached(table: TransitionTable, alive: Uint8Array): Uint8Array {
  const { first, edges } = groupEdges(table, table.state, alive);
  const marked = new Uint8Array(table.contexts.length);
  marked[0] = 1;
  const queue = [0];
  for (let state = queue.pop(); state !== undefined; state = queue.pop()) {
    for (let i = first[state] as number; i < (first[state + 1] as number); i += 1) {
      const edge = edges[i] as number;
      const to = table.target[edge] as number;
      if (table.symbol[edge] === END || marked[to] === 1) continue;
      marked[to] = 1;
      queue.push(to);
    }
  }
  return marked;
}

/** The living edges, grouped by `key[edge]` (counting sort). */
function groupEdges(
  table: TransitionTable,
  key: Int32Array,
  alive: Uint8Array,
): { first: Uint32Array; edges: Uint32Array } {
  const first = new Uint32Array(table.contexts.length + 1);
  for (let edge = 0; edge < table.edgeCount; edge += 1) {
    if (alive[edge] === 1)
      first[(key[edge] as number) + 1] = (first[(key[edge] as number) + 1] as number) + 1;
  }
  for (let i = 1; i < first.length; i += 1) first[i] = (first[i] as number) + (first[i - 1] as number);
  const next = first.slice();
  const edges = new Uint32Array(first[first.length - 1] as number);
  for (let edge = 0; edge < table.edgeCount; edge += 1) {
    if (alive[edge] === 0) continue;
    const group = key[edge] as number;
    edges[next[group] as number] = edge;
    next[group] = (next[group] as number) + 1;
  }
  return { first, edges };
}
