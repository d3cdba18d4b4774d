import { ModelFormatError, type NgramModel, readModel } from '@understudy/ngram';
import { createHash } from 'node:crypto';

import { describeModel, type NgramDescription } from './describe-model.js';

export type CheckedModel =
  | { readonly model: NgramDescription & { readonly hash: string } }
  /** Reads as the message of a field. */
  | { readonly refusal: string };

export const LOCALE = /^[a-z]{2,3}_[A-Z]{2}$/;

/**
 * Reads a file that somebody wants to keep here. What agents train stays with them, and what a model was trained on does not
 * come along, fingerprints included.
 * Cost: grows with the file; not for the event loop.
 */
export function checkUploadedModel(file: Uint8Array): CheckedModel {
  let model: NgramModel;
  try {
    model = readModel(file);
  } catch (error) {
    if (error instanceof ModelFormatError)
      return { refusal: `is not a usable .ngram file: ${error.message}` };
    throw error;
  }
  const refusal = refusalOf(model);
  if (refusal !== undefined) return { refusal };
  const hash = createHash('sha256').update(file).digest('hex');
  return { model: { ...describeModel(model), hash } };
}

function refusalOf({ id, locale, originals }: NgramModel): string | undefined {
  if (originals === 'locked' || locale === 'private' || id.startsWith('private/'))
    return 'was trained by an agent: such a model stays with its agent';
  if (originals !== 'none')
    return 'holds the values it was trained on, or fingerprints of them: train it again with `understudy train --originals none`';
  if (!LOCALE.test(locale)) return 'names no locale like en_US';
  return undefined;
}
