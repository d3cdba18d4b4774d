import { countingSort } from './counting-sort.js';
import type { SortedTransitions } from './sorted-transitions.js';

export interface SurvivingStates {
  /** The states that survive, in the order that numbers them. */
  readonly order: Uint32Array;
  /** 1 for each transition that survives. */
  readonly isAlive: Uint8Array;
}

/**
 * What is left when dead ends are removed again and again: transitions on some path from START to END. A transition into
 * a state that cannot end never lets another state end, so one sweep in each direction does it. START comes first,
 * other states ascend by their steps to END, among equals by their place in a breadth-first walk from START along
 * ascending symbols: an order that does not depend on the order of training, and in which every state but START
 * ends itself or leads to one before it.
 */
export function survivingStates(transitions: SortedTransitions): SurvivingStates {
  const { stateCount, first, rank, target } = transitions;
  const steps = stepsToEnd(transitions);
  const isAlive = new Uint8Array(target.length);
  const walked = new Uint32Array(stateCount);
  const isSeen = new Uint8Array(stateCount);
  isSeen[0] = 1;
  let seen = steps[0] === 0 ? 0 : 1;
  for (let next = 0; next < seen; next += 1) {
    const state = walked[next] as number;
    for (let i = first[state] as number; i < (first[state + 1] as number); i += 1) {
      const to = target[i] as number;
      if (rank[i] !== 0 && steps[to] === 0) continue;
      isAlive[i] = 1;
      if (isSeen[to] === 1) continue;
      isSeen[to] = 1;
      walked[seen++] = to;
    }
  }
  const reached = walked.subarray(0, seen);
  const stepsOf = reached.map((state) => (state === 0 ? 0 : (steps[state] as number)));
  const most = stepsOf.reduce((largest, count) => Math.max(largest, count), 0);
  const order = countingSort(stepsOf, most + 1).sorted.map((place) => reached[place] as number);
  return { order, isAlive };
}

/** For each state the fewest symbols to END, END counted; 0 where no way is left. */
function stepsToEnd({ stateCount, rank, target, source }: SortedTransitions): Uint32Array {
  const steps = new Uint32Array(stateCount);
  const queue = new Uint32Array(stateCount);
  let queued = 0;
  for (let i = 0; i < rank.length; i += 1) {
    if (rank[i] !== 0) continue;
    const state = source[i] as number;
    steps[state] = 1;
    queue[queued++] = state;
  }
  const { first, sorted } = countingSort(target, stateCount);
  for (let next = 0; next < queued; next += 1) {
    const state = queue[next] as number;
    if (state === 0) continue; // what lies in its group are the transitions to END
    for (let i = first[state] as number; i < (first[state + 1] as number); i += 1) {
      const from = source[sorted[i] as number] as number;
      if (steps[from] !== 0) continue;
      steps[from] = (steps[state] as number) + 1;
      queue[queued++] = from;
    }
  }
  return steps;
}
