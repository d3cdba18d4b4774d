import { AttemptsExhaustedError, UnsatisfiableError } from '../../errors.js';
import type { NgramModel } from '../../model/ngram-model.js';
import type { Originals } from '../../model/originals.js';
import { RandomStream, rootKey } from '@understudy/random';
import type { WordPlan } from '../word-plan.js';

/** @throws UnsatisfiableError if the model does not record its training values */
export function originalsToExclude(originals: NgramModel['originals']): Originals {
  if (originals === 'none') {
    throw new UnsatisfiableError(
      'the model contains no originals, so exclude_originals is not possible',
      'exclude_originals',
    );
  }
  if (originals === 'locked') {
    throw new UnsatisfiableError(
      "exclude_originals needs the key of the model's originals, and the model was read without it",
      'exclude_originals',
    );
  }
  return originals;
}

/** The number of words that are drawn to estimate whether retries are efficient. */
const TRIALS = 100;

/** Returns whether a plan needs more than two draws per acceptable word. Draws with a fixed key. */
export function mostlyDrawsAgain(plan: WordPlan): boolean {
  const random = new RandomStream();
  const key = rootKey('ngram trial', 0);
  let attempts = 0;
  try {
    for (let word = 0; word < TRIALS; word += 1) {
      attempts += plan.measure(random.seek(key, word)).attempts;
      if (attempts > 2 * TRIALS) return true;
    }
  } catch (error) {
    if (!(error instanceof AttemptsExhaustedError)) throw error;
    return true;
  }
  return false;
}

/**
 * Checks that a plan can draw an acceptable word. Without this check, the error would occur only on the first
 * row.
 * @throws UnsatisfiableError
 */
export function requireNewWord(plan: WordPlan): void {
  try {
    plan.measure(new RandomStream().seek(rootKey('ngram', 0), 0));
  } catch (error) {
    if (!(error instanceof AttemptsExhaustedError)) throw error;
    throw new UnsatisfiableError(
      `exclude_originals leaves almost no words of this model: ${error.attempts} draws gave only ` +
        'training values',
      'exclude_originals',
    );
  }
}
