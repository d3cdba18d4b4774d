import type { NgramModel } from '../model/ngram-model.js';
import { originalsToExclude } from '../sampling/originals/originals-to-exclude.js';
import { AttemptsExhaustedError } from '../errors.js';
import { MAX_ATTEMPTS } from '../sampling/word-plan.js';

/** Returns whether a text is a training value. Serves one thread. */
export type OriginalLookup = (text: string) => boolean;

/** @throws UnsatisfiableError if the model does not record its training values */
export function originalLookup(model: NgramModel): OriginalLookup {
  const originals = originalsToExclude(model.originals);
  let units = new Uint16Array(256);
  return (text) => {
    if (text.length > units.length) units = new Uint16Array(text.length * 2);
    for (let i = 0; i < text.length; i += 1) units[i] = text.charCodeAt(i);
    return originals.has(units, text.length);
  };
}

/**
 * Draws until the result is not a training value. Without `isOriginal`, returns the first draw.
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
