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
  /** What survives; states are numbered by their places in a breadth-first walk from START along ascending symbols. */
  readonly transitions: Transitions;
  /** Of each state the fewest symbols to END, END counted. None: nothing survives. */
  readonly stepsToEnd: Uint32Array;
}

/** Marks a state's steps to END as its place. */
const PLACED = 0x80000000;
const UNKNOWN = 0x7fffffff;
/** Beyond this many sweeps a breadth-first walk is cheaper. */
const MAX_SWEEPS = 24;

/**
 * What is left when dead ends are removed again and again: transitions on some path from START to END. A transition into
 * a state that cannot end never lets another state end, so one sweep in each direction does it.
 */
export function survivingStates(transitions: Transitions): SurvivingStates {
  const { first, words, weights } = transitions;
  const stateCount = first.length - 1;
  // Steps to END, or PLACED and the place.
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
      let place = known[to] as number;
      if (place === 0) continue;
      if (place < PLACED) {
        walked[seen] = to;
        stepsOf[seen] = place;
        place = PLACED + seen++;
        known[to] = place;
      }
      alive.words[at * TRANSITION_WORDS + RANK] = words[i * TRANSITION_WORDS + RANK] as number;
      alive.words[at * TRANSITION_WORDS + TARGET] = place - PLACED;
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
 * As `stepsToEnd`. States are numbered as training met them, so that a way to END mostly ascends and sweeps from the
 * last state to the first, which are kind to the cache, find it soon.
 * @returns undefined when there are ways that turn back too often
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

/** For each state the fewest symbols to END, END counted; 0 where no way is left. */
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
    if (state === 0) continue; // what lies in its group are the transitions to END
    for (let i = into.first[state] as number; i < (into.first[state + 1] as number); i += 1) {
      const from = source[into.sorted[i] as number] as number;
      if (steps[from] !== 0) continue;
      steps[from] = (steps[state] as number) + 1;
      queue[queued++] = from;
    }
  }
  return steps;
}
