import type { Cells, ModelGraph } from '../../model/model-graph.js';
import { fitsCounts, scaleCounts } from '../values/value-counter.js';
import { RANK, TARGET, TRANSITION_WORDS, weightAt } from './sorted-transitions.js';
import { countingSort } from './counting-sort.js';
import type { SurvivingStates } from './surviving-states.js';

export interface CollectedGraph {
  readonly graph: ModelGraph;
  /** Ranks of the symbols that the graph uses, ascending: symbol i + 1 is the one of rank `ranks[i]`. */
  readonly ranks: Uint32Array;
}

/**
 * The surviving transitions as a graph. START comes first, other states ascend by their steps to END, among equals by
 * their place in a breadth-first walk from START along ascending symbols: an order that does not depend on the order of
 * training, and in which every state but START ends itself or leads to one before it. A state whose counts exceed 32
 * bits is scaled down by a power of two, each count to at least 1.
 */
export function collectGraph(
  { transitions, stepsToEnd }: SurvivingStates,
  rankCount: number,
): CollectedGraph {
  const { first, words, weights } = transitions;
  const stateCount = stepsToEnd.length;
  const numbers = numberStates(stepsToEnd);
  const firstEdge = new Uint32Array(stateCount + 1);
  for (let place = 0; place < stateCount; place += 1) {
    firstEdge[(numbers[place] as number) + 1] = (first[place + 1] as number) - (first[place] as number);
  }
  for (let i = 1; i <= stateCount; i += 1)
    firstEdge[i] = (firstEdge[i] as number) + (firstEdge[i - 1] as number);

  const { ranks, symbols } = numberRanks(words, rankCount);
  const edgeCount = first[stateCount] as number;
  const edgeSymbol = narrowArray(ranks.length, edgeCount);
  const edgeTarget = narrowArray(stateCount - 1, edgeCount);
  const cumulative = new Uint32Array(edgeCount);
  let largest = 0;
  for (let place = 0; place < stateCount; place += 1) {
    const from = first[place] as number;
    const to = first[place + 1] as number;
    const start = firstEdge[numbers[place] as number] as number;
    let at = start;
    let sum = 0;
    for (let i = from; i < to; i += 1) {
      edgeSymbol[at] = symbols[words[i * TRANSITION_WORDS + RANK] as number] as number;
      edgeTarget[at] = numbers[words[i * TRANSITION_WORDS + TARGET] as number] as number; // END's is START's: 0
      sum += weights[weightAt(i)] as number;
      cumulative[at] = sum;
      at += 1;
    }
    if (!fitsCounts(sum)) {
      sum = 0;
      scaleCounts(
        Float64Array.from({ length: to - from }, (_, i) => weights[weightAt(from + i)] as number),
      ).forEach((count, i) => {
        sum += count;
        cumulative[start + i] = sum;
      });
    }
    largest = Math.max(largest, sum);
  }
  const edgeCumulative = narrowArray(largest, edgeCount);
  edgeCumulative.set(cumulative);
  return { graph: { firstEdge, edgeSymbol, edgeTarget, edgeCumulative }, ranks };
}

/** The number of the state at each place. */
function numberStates(stepsToEnd: Uint32Array): Uint32Array {
  const most = stepsToEnd.reduce((largest, steps) => Math.max(largest, steps), 0);
  const numbers = new Uint32Array(stepsToEnd.length);
  countingSort(stepsToEnd, most + 1).sorted.forEach((place, number) => {
    numbers[place] = number;
  });
  return numbers;
}

/** Numbers the ranks that are in use, 0 for END. */
function numberRanks(words: Uint32Array, rankCount: number): { ranks: Uint32Array; symbols: Uint32Array } {
  const symbols = new Uint32Array(rankCount + 1);
  for (let at = RANK; at < words.length; at += TRANSITION_WORDS) symbols[words[at] as number] = 1;
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
