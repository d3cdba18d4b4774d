import type { NgramModel } from '@understudy/ngram';

/** What a model's file says about itself, as far as the API shows it. Plain data. */
export interface ModelDescription {
  readonly locale: string;
  readonly ngramOrder: number;
  readonly tokenType: 'char' | 'word';
  readonly tokenCount: number;
  readonly ngramCount: number;
  readonly facts: ModelFacts;
}

/** What the detail view says besides, under these names. */
export interface ModelFacts {
  /** SPDX expression and origin of what it was made from; empty where the file does not say. */
  readonly licence: string;
  readonly source: string;
  /** Generation modes that it serves. */
  readonly modes: readonly string[];
}

export function describeModel(model: NgramModel): ModelDescription {
  const { locale, order, tokenType, tokenCount, ngramCount, licence, source, modes } = model;
  return { locale, ngramOrder: order, tokenType, tokenCount, ngramCount, facts: { licence, source, modes } };
}
