import { describeModel as describeValues, NgramError, type NgramModel } from '@understudy/ngram';

import type { ModelFacts, ModelVariety } from './model-facts.js';

/** The description of a model in API responses, taken from its file. Plain data. */
export interface ModelDescription {
  readonly locale: string;
  /** This field and the three below are null for a model that is not an n-gram model. */
  readonly ngramOrder: number | null;
  readonly tokenType: 'char' | 'word' | null;
  readonly tokenCount: number | null;
  readonly ngramCount: number | null;
  readonly facts: ModelFacts;
}

export const NO_VARIETY: ModelVariety = Object.freeze({
  novel_mass: null,
  effective_values: null,
  distinct_capacity: null,
});

/**
 * Returns the constraints that a model supports. Only a model with readable training
 * values or fingerprints of them supports `exclude_originals`.
 */
export function constraintsOf(hasOriginals: boolean): readonly string[] {
  const ofAll = ['starts_with', 'ends_with', 'contains', 'min_length', 'max_length'];
  return hasOriginals ? [...ofAll, 'exclude_originals'] : ofAll;
}

/**
 * The description of an n-gram model. None of its fields is null, but fields of `facts` can be null. Every
 * model file holds an n-gram model.
 */
export type NgramDescription = { readonly [K in keyof ModelDescription]: NonNullable<ModelDescription[K]> };

/**
 * Describes an n-gram model. Samples some thousand words, which takes milliseconds; do not call this function
 * on the event loop.
 */
export function describeModel(model: NgramModel): NgramDescription {
  const { locale, order, tokenType, tokenCount, ngramCount } = model;
  const { licence, source, modes, distinctValues, totalWeight, minValues } = model;
  const facts = {
    licence,
    source,
    modes,
    constraints: constraintsOf(model.originals !== 'none' && model.originals !== 'locked'),
    keys: null,
    distinct_values: distinctValues,
    total_weight: totalWeight,
    min_values: minValues,
    ...varietyOf(model),
  };
  return { locale, ngramOrder: order, tokenType, tokenCount, ngramCount, facts };
}

function varietyOf(model: NgramModel): ModelVariety {
  try {
    const { novelMass, effectiveValues, distinctCapacity } = describeValues(model);
    return {
      novel_mass: novelMass,
      effective_values: Math.round(effectiveValues),
      distinct_capacity: distinctCapacity,
    };
  } catch (error) {
    if (!(error instanceof NgramError)) throw error;
    return { ...NO_VARIETY, novel_mass: model.novelMass }; // the model almost never ends a word, so it cannot be sampled
  }
}
