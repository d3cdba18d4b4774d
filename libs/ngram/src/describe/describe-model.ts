import type { NgramModel } from '../model/ngram-model.js';
import { compileWord } from '../sampling/compile-word.js';
import { describePlan, type PlanDescription } from './describe-plan.js';

/** What a user should know of a model before drawing from it: of free words. */
export interface ModelDescription extends PlanDescription {
  /** The probability that a word is no training value; null when it was not known in training. */
  readonly novelMass: number | null;
  /** Of the training values, in code points, by weight; 0 when no length was frequent enough to be told. */
  readonly meanLength: number;
}

const descriptions = new WeakMap<NgramModel, ModelDescription>();

/** Computed once a model, in some milliseconds. @throws AttemptsExhaustedError when the model hardly ever ends a word */
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
