import { countingSort } from './counting-sort.js';
import {
  makeTransitions,
  RANK,
  TARGET,
  TRANSITION_WORDS,
  type Transitions,
  weightAt,
} from './sorted-transitions.js';

export interface SurvivingStates {
  /**
   * The surviving transitions. States are numbered by a breadth-first walk from START along ascending
   * symbols.
   */
  readonly transitions: Transitions;
  /** The smallest number of transitions from each state to END. Empty if nothing survives. */
  readonly stepsToEnd: Uint32Array;
}

/**
 * A flag in a state's entry of `known`: the entry contains the state's position in the walk, not its steps to
 * END.
 */
const PLACED = 0x80000000;
const UNKNOWN = 0x7fffffff;
/** After this many sweeps, a breadth-first walk is faster than further sweeps. */
const MAX_SWEEPS = 24;

/**
 * Removes dead ends, so that every remaining transition is on a path from START to END. First finds the
 * states that can reach END, then keeps those that START reaches through such states. No further pass is
 * needed.
 */
export function survivingStates(transitions: Transitions): SurvivingStates {
  const { first, words, weights } = transitions;
  const stateCount = first.length - 1;
  // The steps of each state to END. After the walk has reached the state: PLACED + its position in the walk.
  const known = sweptStepsToEnd(transitions) ?? stepsToEnd(transitions);
  const walked = new Uint32Array(stateCount);
  const stepsOf = new Uint32Array(stateCount);
  const alive = makeTransitions(new Uint32Array(stateCount + 1), words.length / TRANSITION_WORDS);
  let seen = known[0] === 0 ? 0 : 1;
  let at = 0;
  known[0] = PLACED;
  for (let next = 0; next < seen; next += 1) {
    const state = walked[next] as number;
    for (let i = first[state] as number; i < (first[state + 1] as number); i += 1) {
      const to = words[i * TRANSITION_WORDS + TARGET] as number;
      let position = known[to] as number;
      if (position === 0) continue;
      if (position < PLACED) {
        walked[seen] = to;
        stepsOf[seen] = position;
        position = PLACED + seen++;
        known[to] = position;
      }
      alive.words[at * TRANSITION_WORDS + RANK] = words[i * TRANSITION_WORDS + RANK] as number;
      alive.words[at * TRANSITION_WORDS + TARGET] = position - PLACED;
      alive.weights[weightAt(at)] = weights[weightAt(i)] as number;
      at += 1;
    }
    alive.first[next + 1] = at;
  }
  return {
    transitions: {
      first: alive.first.subarray(0, seen + 1),
      words: alive.words.subarray(0, at * TRANSITION_WORDS),
      weights: alive.weights.subarray(0, at * 2),
    },
    stepsToEnd: stepsOf.subarray(0, seen),
  };
}

/**
 * Computes `stepsToEnd` with sweeps over all states. Training numbers states in order of occurrence, so paths
 * to END mostly ascend. Sweeps from the last state to the first therefore find them soon, and are
 * cache-friendly.
 * @returns undefined if `MAX_SWEEPS` sweeps do not suffice
 */
function sweptStepsToEnd({ first, words }: Transitions): Uint32Array | undefined {
  const steps = new Uint32Array(first.length - 1).fill(UNKNOWN);
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    let isDone = true;
    for (let state = steps.length - 1; state >= 0; state -= 1) {
      let fewest = steps[state] as number;
      for (let i = first[state] as number; i < (first[state + 1] as number); i += 1) {
        const word = i * TRANSITION_WORDS;
        const onward = words[word + RANK] === 0 ? 0 : (steps[words[word + TARGET] as number] as number);
        if (onward < fewest - 1) fewest = onward + 1;
      }
      if (fewest === steps[state]) continue;
      steps[state] = fewest;
      isDone = false;
    }
    if (isDone) return steps.map((count) => (count === UNKNOWN ? 0 : count));
  }
  return undefined;
}

/** Returns the smallest number of transitions from each state to END; 0 for a state that cannot reach END. */
function stepsToEnd({ first, words }: Transitions): Uint32Array {
  const stateCount = first.length - 1;
  const steps = new Uint32Array(stateCount);
  const queue = new Uint32Array(stateCount);
  const source = new Uint32Array(words.length / TRANSITION_WORDS);
  let queued = 0;
  for (let state = 0; state < stateCount; state += 1) {
    const from = first[state] as number;
    const to = first[state + 1] as number;
    source.fill(state, from, to);
    if (from === to || words[from * TRANSITION_WORDS + RANK] !== 0) continue;
    steps[state] = 1;
    queue[queued++] = state;
  }
  const into = countingSort(
    source.map((_, i) => words[i * TRANSITION_WORDS + TARGET] as number),
    stateCount,
  );
  for (let next = 0; next < queued; next += 1) {
    const state = queue[next] as number;
    if (state === 0) continue; // the group of state 0 contains the transitions to END
    for (let i = into.first[state] as number; i < (into.first[state + 1] as number); i += 1) {
      const from = source[into.sorted[i] as number] as number;
      if (steps[from] !== 0) continue;
      steps[from] = (steps[state] as number) + 1;
      queue[queued++] = from;
    }
  }
  return steps;
}
