import type { Cells, ModelGraph } from '../model/model-graph.js';
import { fitsCounts, scaleCounts } from './scale-counts.js';
import type { SortedTransitions } from './sorted-transitions.js';
import type { SurvivingStates } from './surviving-states.js';

export interface CollectedGraph {
  readonly graph: ModelGraph;
  /** Ranks of the symbols that the graph uses, ascending: symbol i + 1 is the one of rank `ranks[i]`. */
  readonly ranks: Uint32Array;
}

/**
 * The surviving transitions as a graph. A state whose counts exceed 32 bits is scaled down by a power of two, each count
 * to at least 1.
 */
export function collectGraph(
  transitions: SortedTransitions,
  { order, isAlive }: SurvivingStates,
  rankCount: number,
): CollectedGraph {
  const { first, rank, target, weight, stateCount } = transitions;
  const numbers = new Uint32Array(stateCount);
  for (let i = 0; i < order.length; i += 1) numbers[order[i] as number] = i;
  const { ranks, symbols } = numberRanks(rank, isAlive, rankCount);

  const edgeCount = isAlive.reduce((sum, alive) => sum + alive, 0);
  const firstEdge = new Uint32Array(order.length + 1);
  const edgeSymbol = narrowArray(ranks.length, edgeCount);
  const edgeTarget = narrowArray(order.length - 1, edgeCount);
  const cumulative = new Uint32Array(edgeCount);
  let at = 0;
  let largest = 0;
  for (let number = 0; number < order.length; number += 1) {
    const state = order[number] as number;
    const start = at;
    let sum = 0;
    for (let i = first[state] as number; i < (first[state + 1] as number); i += 1) {
      if (isAlive[i] === 0) continue;
      edgeSymbol[at] = symbols[rank[i] as number] as number;
      edgeTarget[at] = rank[i] === 0 ? 0 : (numbers[target[i] as number] as number);
      sum += weight[i] as number;
      cumulative[at] = sum;
      at += 1;
    }
    if (!fitsCounts(sum)) {
      const own = weight
        .subarray(first[state], first[state + 1])
        .filter((_, i) => isAlive[(first[state] as number) + i] === 1);
      sum = 0;
      scaleCounts(own).forEach((count, i) => {
        sum += count;
        cumulative[start + i] = sum;
      });
    }
    largest = Math.max(largest, sum);
    firstEdge[number + 1] = at;
  }
  const edgeCumulative = narrowArray(largest, edgeCount);
  edgeCumulative.set(cumulative);
  return { graph: { firstEdge, edgeSymbol, edgeTarget, edgeCumulative }, ranks };
}

/** Numbers the ranks that are in use, 0 for END. */
function numberRanks(
  rank: Uint32Array,
  isAlive: Uint8Array,
  rankCount: number,
): { ranks: Uint32Array; symbols: Uint32Array } {
  const symbols = new Uint32Array(rankCount + 1);
  for (let i = 0; i < rank.length; i += 1) if (isAlive[i] === 1) symbols[rank[i] as number] = 1;
  const ranks = Uint32Array.from(symbols.keys()).filter((one) => one !== 0 && symbols[one] === 1);
  symbols[0] = 0;
  ranks.forEach((one, i) => {
    symbols[one] = i + 1;
  });
  return { ranks, symbols };
}

/** An array of the narrowest elements that hold `largest`. */
function narrowArray(largest: number, length: number): Cells {
  if (largest <= 0xff) return new Uint8Array(length);
  return largest <= 0xffff ? new Uint16Array(length) : new Uint32Array(length);
}
