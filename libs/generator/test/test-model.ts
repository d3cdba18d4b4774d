import type { CompileOptions } from '@understudy/generator';
import { NgramTrainer, readModel, type NgramModel } from '@understudy/ngram';
import { assets } from './test-assets.js';

const NAMES = [
  'Ada',
  'Adam',
  'Alan',
  'Albert',
  'Alberta',
  'Anna',
  'Annabel',
  'Bert',
  'Bertram',
  'Christa',
  'Christian',
  'Hanna',
  'Johan',
  'Johanna',
  'Robert',
  'Roberta',
  'Rosalind',
  'Rosanna',
];

function train(): NgramModel {
  const trainer = new NgramTrainer({ order: 4, minValues: 1, name: 'first_names', locale: 'en_US' });
  for (const name of NAMES) trainer.add(name);
  return readModel(trainer.finish());
}

const model = train();

export const NOW_MS = Date.UTC(2026, 0, 15);
export const OPTIONS: CompileOptions = {
  models: (id) => (id === 'en_US/first_names' ? model : undefined),
  assets,
  nowMs: NOW_MS,
};
