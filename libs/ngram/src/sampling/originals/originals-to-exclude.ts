import { AttemptsExhaustedError, UnsatisfiableError } from '../../errors.js';
import type { NgramModel } from '../../model/ngram-model.js';
import type { Originals } from '../../model/originals.js';
import { RandomStream, rootKey } from '@understudy/random';
import type { WordPlan } from '../word-plan.js';

/** @throws UnsatisfiableError when the model does not say what its training values were */
export function originalsToExclude(originals: NgramModel['originals']): Originals {
  if (originals === 'none') {
    throw new UnsatisfiableError(
      'the model carries no originals, so exclude_originals cannot be kept',
      'exclude_originals',
    );
  }
  if (originals === 'locked') {
    throw new UnsatisfiableError(
      'the model was read without the key of its originals; exclude_originals needs it',
      'exclude_originals',
    );
  }
  return originals;
}

/** Words by which it is judged whether draws are worth repeating. */
const TRIALS = 100;

/** Whether more than half of a plan's draws are not acceptable. Draws at a fixed key. */
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

/** A plan whose draws are all drawn again is found out here, not at row one. */
export function requireNewWord(plan: WordPlan): void {
  try {
    plan.measure(new RandomStream().seek(rootKey('ngram', 0), 0));
  } catch (error) {
    if (!(error instanceof AttemptsExhaustedError)) throw error;
    throw new UnsatisfiableError(
      `${error.attempts} draws gave only training values: exclude_originals leaves next to nothing of this model`,
      'exclude_originals',
    );
  }
}
