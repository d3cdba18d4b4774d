import type { Cells, ModelGraph } from '../../model/model-graph.js';
import { fitsCounts, scaleCounts } from '../values/value-counter.js';
import { RANK, TARGET, TRANSITION_WORDS, weightAt } from './sorted-transitions.js';
import { countingSort } from './counting-sort.js';
import type { SurvivingStates } from './surviving-states.js';

export interface CollectedGraph {
  readonly graph: ModelGraph;
  /** The rank of each symbol that the graph uses, ascending. Symbol i + 1 has rank `ranks[i]`. */
  readonly ranks: Uint32Array;
}

/**
 * Converts the surviving transitions to a graph.
 *
 * START comes first. The other states ascend by their steps to END. States with equally many steps are in the
 * order of a breadth-first walk from START along ascending symbols. So the numbering does not depend on the
 * order of training. Every state except START has an edge to END or to a state before it.
 *
 * If the counts of a state add up to more than 32 bits, they are divided by a power of two. Each count stays
 * at least 1.
 */
export function collectGraph(
  { transitions, stepsToEnd }: SurvivingStates,
  rankCount: number,
): CollectedGraph {
  const { first, words, weights } = transitions;
  const stateCount = stepsToEnd.length;
  const numbers = numberStates(stepsToEnd);
  const firstEdge = new Uint32Array(stateCount + 1);
  for (let position = 0; position < stateCount; position += 1) {
    firstEdge[(numbers[position] as number) + 1] =
      (first[position + 1] as number) - (first[position] as number);
  }
  for (let i = 1; i <= stateCount; i += 1)
    firstEdge[i] = (firstEdge[i] as number) + (firstEdge[i - 1] as number);

  const { ranks, symbols } = numberRanks(words, rankCount);
  const edgeCount = first[stateCount] as number;
  const edgeSymbol = narrowArray(ranks.length, edgeCount);
  const edgeTarget = narrowArray(stateCount - 1, edgeCount);
  const cumulative = new Uint32Array(edgeCount);
  let largest = 0;
  for (let position = 0; position < stateCount; position += 1) {
    const from = first[position] as number;
    const to = first[position + 1] as number;
    const start = firstEdge[numbers[position] as number] as number;
    let at = start;
    let sum = 0;
    for (let i = from; i < to; i += 1) {
      edgeSymbol[at] = symbols[words[i * TRANSITION_WORDS + RANK] as number] as number;
      edgeTarget[at] = numbers[words[i * TRANSITION_WORDS + TARGET] as number] as number; // END has the number of START: 0
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

/** Returns the number of each state, by the state's position in the breadth-first walk. */
function numberStates(stepsToEnd: Uint32Array): Uint32Array {
  const most = stepsToEnd.reduce((largest, steps) => Math.max(largest, steps), 0);
  const numbers = new Uint32Array(stepsToEnd.length);
  countingSort(stepsToEnd, most + 1).sorted.forEach((position, number) => {
    numbers[position] = number;
  });
  return numbers;
}

/** Gives the ranks in use consecutive symbol numbers. END has the number 0. */
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

/** Returns an array with the narrowest elements that can contain `largest`. */
function narrowArray(largest: number, length: number): Cells {
  if (largest <= 0xff) return new Uint8Array(length);
  return largest <= 0xffff ? new Uint16Array(length) : new Uint32Array(length);
}
