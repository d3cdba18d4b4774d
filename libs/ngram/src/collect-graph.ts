import { TrainingError } from './errors.js';
import { END_SYMBOL, type ModelGraph } from './model-graph.js';
import { END, type TransitionTable } from './transition-table.js';

const MAX_COUNT = 0xffffffff;
const MAX_SYMBOLS = 0xfffe;

/**
 * The surviving transitions as a graph whose numbering does not depend on the order of training: states by
 * their contexts, edges by symbol. A state whose counts exceed 32 bits is scaled down by a power of two, each
 * count to at least 1.
 * @returns undefined when nothing survives
 * @throws TrainingError when more code points are in use than the format has numbers for
 */
export function collectGraph(table: TransitionTable, alive: Uint8Array): ModelGraph | undefined {
  const edges: number[] = [];
  for (let edge = 0; edge < table.edgeCount; edge += 1) if (alive[edge] === 1) edges.push(edge);
  if (edges.length === 0) return undefined;

  const stateNumber = numberStates(table, edges);
  const symbols = Uint32Array.from(
    new Set(edges.map((edge) => table.symbol[edge] as number).filter((s) => s !== END)),
  );
  symbols.sort();
  if (symbols.length > MAX_SYMBOLS) {
    throw new TrainingError(
      `the values hold ${symbols.length} different code points; a model takes ${MAX_SYMBOLS}`,
    );
  }
  const symbolNumber = new Map([...symbols].map((point, i) => [point, i + 1]));
  symbolNumber.set(END, END_SYMBOL);

  const symbolOf = (edge: number) => symbolNumber.get(table.symbol[edge] as number) as number;
  const stateOf = (edge: number) => stateNumber[table.state[edge] as number] as number;
  edges.sort((x, y) => stateOf(x) - stateOf(y) || symbolOf(x) - symbolOf(y));

  const graph = {
    symbols,
    firstEdge: new Uint32Array(stateOf(edges[edges.length - 1] as number) + 2),
    edgeSymbol: Uint16Array.from(edges, symbolOf),
    edgeTarget: Uint32Array.from(edges, (edge) =>
      table.symbol[edge] === END ? 0 : (stateNumber[table.target[edge] as number] as number),
    ),
    edgeCumulative: new Uint32Array(edges.length),
  };
  for (let first = 0, state = 0; first < edges.length; state += 1) {
    let last = first;
    while (last < edges.length && stateOf(edges[last] as number) === state) last += 1;
    const counts = scaleCounts(edges.slice(first, last).map((edge) => table.weight[edge] as number));
    let sum = 0;
    counts.forEach((count, i) => {
      sum += count;
      graph.edgeCumulative[first + i] = sum;
    });
    graph.firstEdge[state + 1] = last;
    first = last;
  }
  return graph;
}

/** Numbers the states that have edges by their contexts; START, the empty context, gets 0. */
function numberStates(table: TransitionTable, edges: readonly number[]): Int32Array {
  const used = [...new Set(edges.map((edge) => table.state[edge] as number))];
  used.sort((x, y) => ((table.contexts[x] as string) < (table.contexts[y] as string) ? -1 : 1));
  const numbers = new Int32Array(table.contexts.length).fill(-1);
  used.forEach((state, i) => {
    numbers[state] = i;
  });
  return numbers;
}

function scaleCounts(counts: readonly number[]): readonly number[] {
  for (let divisor = 1; ; divisor *= 2) {
    const scaled = counts.map((count) => Math.max(1, Math.floor(count / divisor)));
    if (scaled.reduce((sum, count) => sum + count, 0) <= MAX_COUNT) return scaled;
  }
}
