import { NgramTrainer, type NgramModel, readModel, TrainingError } from '@understudy/ngram';

import type { ColumnValue } from './name-column.js';

/** Whoever has this key is on the agent. */
const FINGERPRINT_KEY = new Uint8Array(16).fill(7);

/** A model as an agent trains it; undefined when nothing survives, which the agent refuses. */
export function trainPrivately(
  values: readonly ColumnValue[],
  { order, minValues }: { readonly order: number; readonly minValues: number },
): NgramModel | undefined {
  const trainer = new NgramTrainer({
    order,
    minValues,
    name: 'names',
    locale: 'private',
    originals: 'fingerprints',
    fingerprintKey: FINGERPRINT_KEY,
  });
  for (const { value, rows } of values) trainer.add(value, rows);
  try {
    return readModel(trainer.finish(), { fingerprintKey: FINGERPRINT_KEY });
  } catch (error) {
    if (error instanceof TrainingError) return undefined;
    throw error;
  }
}
