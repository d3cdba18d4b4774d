import { type Key, math, RandomStream, rootKey } from '@understudy/random';
import type { WordPlan } from '../sampling/word-plan.js';

/** How many different words a plan has to give. */
export interface PlanDescription {
  /**
   * The exponential of the entropy: a plan of N equally likely words has N, one of a few frequent and many rare ones
   * far fewer than it has words.
   */
  readonly effectiveValues: number;
  /**
   * How many different words come out before nine of ten draws give one that came out before; at most 2^53. Fewer
   * distinct words than this can be asked for without fear: 200 attempts in a row then all fail once in 10^9 rows.
   */
  readonly distinctCapacity: number;
}

const DRAWS = 2048;
/** Symbols drawn in all: words of a hostile model may take a million each, and fewer draws must do. */
const MAX_WALKED = 1 << 23;
const REPEATED_SHARE = 0.9;
const MOST = Number.MAX_SAFE_INTEGER;

/**
 * Estimated from the probabilities of 2,048 words (fewer where they are very long) drawn at a fixed key: the same for the same plan, and mostly within
 * five per cent. Costs some milliseconds.
 * @throws AttemptsExhaustedError when the plan gives up
 */
export function describePlan(plan: WordPlan): PlanDescription {
  const logs = sampleLogProbabilities(plan, rootKey('describe', 0));
  const entropy = -logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return {
    effectiveValues: Math.min(MOST, math.exp(entropy)),
    distinctCapacity: Math.floor(Math.min(MOST, capacity(logs))),
  };
}

/** Of the words drawn, each with the probability it was drawn with. */
function sampleLogProbabilities(plan: WordPlan, key: Key): Float64Array {
  const random = new RandomStream();
  const logs = new Float64Array(DRAWS);
  let draws = 0;
  let attempts = 0;
  for (let walked = 0; draws < DRAWS && walked <= MAX_WALKED; draws += 1) {
    const measure = plan.measure(random.seek(key, draws));
    logs[draws] = measure.logProbability;
    attempts += measure.attempts;
    walked += measure.walked;
  }
  const logAccepted = math.log(draws / attempts);
  return logs.slice(0, draws).map((log) => Math.min(0, log - logAccepted));
}

/**
 * With p the probability of a word drawn by the plan, the mean of (1 - p)^n is the share of draws that give something
 * new after n draws, and the mean of (1 - (1 - p)^n) / p is how many words came out by then.
 */
function capacity(logs: Float64Array): number {
  const probabilities = logs.map((log) => math.exp(log));
  const logMisses = probabilities.map((p) => (p >= 1 ? -Infinity : math.log1p(-p)));
  const newShare = (draws: number) => mean(logMisses, (logMiss) => math.exp(Math.max(-700, draws * logMiss)));
  let enough = 1;
  while (newShare(enough) > 1 - REPEATED_SHARE && enough < MOST) enough *= 2;
  let few = enough / 2;
  while (enough / few > 1.001) {
    const middle = (enough + few) / 2;
    if (newShare(middle) > 1 - REPEATED_SHARE) few = middle;
    else enough = middle;
  }
  return mean(probabilities, (p) => distinct(p, enough));
}

/** (1 - (1 - p)^n) / p, also where p is too small for the difference. */
function distinct(p: number, draws: number): number {
  if (p >= 1) return 1;
  const hits = draws * p;
  if (hits < 1e-6) return draws * (1 - hits / 2);
  return (1 - math.exp(Math.max(-700, draws * math.log1p(-p)))) / p;
}

function mean(values: Float64Array, of: (value: number) => number): number {
  let sum = 0;
  for (const value of values) sum += of(value);
  return sum / values.length;
}
