import type { NgramModel } from '../model/ngram-model.js';
import { compileWord } from '../sampling/compile-word.js';
import { describePlan, type PlanDescription } from './describe-plan.js';

/**
 * Describes the words that a model generates without constraints, so that users can judge a model before they
 * use it.
 */
export interface ModelDescription extends PlanDescription {
  /** The probability that a word is not a training value. Null if training could not determine it. */
  readonly novelMass: number | null;
  /**
   * The weighted mean length of the training values in code points. 0 if no length occurred in enough values
   * to be recorded.
   */
  readonly meanLength: number;
}

const descriptions = new WeakMap<NgramModel, ModelDescription>();

/**
 * Describes a model. Takes some milliseconds once per model.
 * @throws AttemptsExhaustedError if the model almost never ends a word
 */
export function describeModel(model: NgramModel): ModelDescription {
  const known = descriptions.get(model);
  if (known !== undefined) return known;
  const description = Object.freeze({
    ...describePlan(compileWord(model, {})),
    novelMass: model.novelMass,
    meanLength: model.statistics.lengths.mean,
  });
  descriptions.set(model, description);
  return description;
}
