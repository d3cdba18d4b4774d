import type { NgramModel } from '../model/ngram-model.js';
import { originalsToExclude } from '../sampling/originals-to-exclude.js';

/** Whether a text is a training value. Serves one thread. */
export type OriginalLookup = (text: string) => boolean;

/** @throws UnsatisfiableError when the model does not say what its training values were */
export function originalLookup(model: NgramModel): OriginalLookup {
  const originals = originalsToExclude(model.originals);
  let units = new Uint16Array(256);
  return (text) => {
    if (text.length > units.length) units = new Uint16Array(text.length * 2);
    for (let i = 0; i < text.length; i += 1) units[i] = text.charCodeAt(i);
    return originals.has(units, text.length);
  };
}
