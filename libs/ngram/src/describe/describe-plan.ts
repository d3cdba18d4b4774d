import { type Key, math, RandomStream, rootKey } from '@understudy/random';
import type { WordPlan } from '../sampling/word-plan.js';

/** The number of different words that a plan can give. */
export interface PlanDescription {
  /**
   * The exponential of the entropy. For N equally likely words it is N. For a few frequent and many rare
   * words it is far smaller than the number of words.
   */
  readonly effectiveValues: number;
  /**
   * The number of different words after which nine of ten draws repeat an earlier word, at most 2^53. You can
   * safely request fewer distinct words: the probability that all 200 attempts for a row fail is then below
   * 10^-9.
   */
  readonly distinctCapacity: number;
}

const DRAWS = 2048;
/**
 * The maximum number of symbols to draw in total. A word of a hostile model can take a million symbols. Fewer
 * words are then drawn.
 */
const MAX_WALKED = 1 << 23;
const REPEATED_SHARE = 0.9;
const MOST = Number.MAX_SAFE_INTEGER;

/**
 * Estimates the variety of a plan from the probabilities of 2,048 words, or of fewer words if they are very
 * long. The words are drawn with a fixed key, so the same plan gives the same result. The error is mostly
 * below five per cent. Takes some milliseconds.
 * @throws AttemptsExhaustedError if the plan finds no acceptable word
 */
export function describePlan(plan: WordPlan): PlanDescription {
  const logs = sampleLogProbabilities(plan, rootKey('describe', 0));
  const entropy = -logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return {
    effectiveValues: Math.min(MOST, math.exp(entropy)),
    distinctCapacity: Math.floor(Math.min(MOST, capacity(logs))),
  };
}

/** Returns, for each word drawn, the logarithm of the probability with which it was drawn. */
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
 * Returns the number of different words after which nine of ten draws repeat an earlier word.
 *
 * Let p be the probability of a drawn word. After n draws, the mean of (1 - p)^n is the share of draws that
 * give a new word. The mean of (1 - (1 - p)^n) / p is the number of different words so far.
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

/** Returns (1 - (1 - p)^n) / p for n draws. The result is accurate even if p is tiny. */
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
