import { NgramTrainer, type NgramModel, readModel, TrainingError } from '@understudy/ngram';

import type { ColumnValue } from './name-column.js';

/**
 * Fixed key of the fingerprints. The attacks use the key, because an attacker on the machine of an agent can
 * read the agent's key.
 */
const FINGERPRINT_KEY = new Uint8Array(16).fill(7);

/**
 * Trains a model as an agent does.
 * @returns undefined if `minValues` removes so many transitions that the model cannot generate a value; an
 *   agent refuses such a model
 */
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
