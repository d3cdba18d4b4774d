import { describeModel as describeValues, NgramError, type NgramModel } from '@understudy/ngram';

/** What a model's file says about itself, as far as the API shows it. Plain data. */
export interface ModelDescription {
  readonly locale: string;
  /** These four are null for what is no n-gram. */
  readonly ngramOrder: number | null;
  readonly tokenType: 'char' | 'word' | null;
  readonly tokenCount: number | null;
  readonly ngramCount: number | null;
  readonly facts: ModelFacts;
}

/** What the detail view says besides, under these names. */
export interface ModelFacts extends ModelVariety {
  /** SPDX expression and origin of what it was made from; empty where the file does not say. */
  readonly licence: string;
  readonly source: string;
  /** Generation modes that it serves. */
  readonly modes: readonly string[];
  /** Top-level constraints that at least one of these modes applies. */
  readonly constraints: readonly string[];
  /** Different values that it was made from, and how many there were in all, by their weights. */
  readonly distinct_values: number | null;
  readonly total_weight: number | null;
  /** Only what so many different values have in common is in it; 1 leaves nothing out. */
  readonly min_values: number | null;
}

/** What is found by drawing from a model; null for what is not an n-gram, or is drawn from otherwise. */
export interface ModelVariety {
  /** The probability that a free word is none of the values that it was made from; null when that was not known. */
  readonly novel_mass: number | null;
  /** As many equally likely values would vary as much. */
  readonly effective_values: number | null;
  /** So many different values `unique` gets without fear of running dry. */
  readonly distinct_capacity: number | null;
}

export const NO_VARIETY: ModelVariety = Object.freeze({
  novel_mass: null,
  effective_values: null,
  distinct_capacity: null,
});

/** The constraints of what does or does not know the values that it was trained on. */
export function constraintsOf(hasOriginals: boolean): readonly string[] {
  const ofAll = ['starts_with', 'ends_with', 'contains', 'min_length', 'max_length'];
  return hasOriginals ? [...ofAll, 'exclude_originals'] : ofAll;
}

/** An n-gram, as every file is. */
export type NgramDescription = { readonly [K in keyof ModelDescription]: NonNullable<ModelDescription[K]> };

/** Draws some thousands of words: milliseconds, and not for the event loop. */
export function describeModel(model: NgramModel): NgramDescription {
  const { locale, order, tokenType, tokenCount, ngramCount } = model;
  const { licence, source, modes, distinctValues, totalWeight, minValues } = model;
  const facts = {
    licence,
    source,
    modes,
    constraints: constraintsOf(model.originals !== 'none' && model.originals !== 'locked'),
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
    return { ...NO_VARIETY, novel_mass: model.novelMass }; // it hardly ever ends a word
  }
}
