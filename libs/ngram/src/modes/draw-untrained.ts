import { AttemptsExhaustedError } from '../errors.js';
import { MAX_ATTEMPTS } from '../sampling/word-plan.js';
import type { OriginalLookup } from './original-lookup.js';

/**
 * The first draw that is no training value; the first one where that is all the same.
 * @param isOriginal undefined: it may be a training value
 * @throws AttemptsExhaustedError
 */
export function drawUntrained(isOriginal: OriginalLookup | undefined, draw: () => string): string {
  if (isOriginal === undefined) return draw();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const text = draw();
    if (!isOriginal(text)) return text;
  }
  throw new AttemptsExhaustedError(MAX_ATTEMPTS);
}
