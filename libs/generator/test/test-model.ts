import type { CompileOptions } from '../src/registry/generator-type.js';
import { NgramTrainer, readModel, type NgramModel, type TrainOptions } from '@understudy/ngram';
import { assets, NAMES } from './test-assets.js';

const WORDS =
  'apple baker barley bear bed berry cedar dale deal dear deer eagle earl ease east edge elder ember';

function train(name: string, values: readonly string[], originals: TrainOptions['originals']): NgramModel {
  const trainer = new NgramTrainer({ order: 4, minValues: 1, name, locale: 'en_US', originals });
  for (const value of values) trainer.add(value);
  return readModel(trainer.finish());
}

/** Models that record their training values. Only `en_US/bare` records fingerprints instead of values. */
const MODELS = new Map<string, NgramModel>([
  ['en_US/first_names', train('first_names', NAMES, 'values')],
  ['en_US/bare', train('first_names', NAMES, 'fingerprints')],
  ['en_US/words', train('words', WORDS.split(' '), 'values')],
]);

export const NOW_MS = Date.UTC(2026, 0, 15);
export const OPTIONS: CompileOptions = {
  models: (id) => MODELS.get(id),
  assets,
  nowMs: NOW_MS,
};
