import { ModelFormatError, type NgramModel, readModel } from '@understudy/ngram';
import { createHash } from 'node:crypto';

import { describeModel, type NgramDescription } from './describe-model.js';

export type CheckedModel =
  | { readonly model: NgramDescription & { readonly hash: string } }
  /** The reason why the model is refused, as the message of a request field. */
  | { readonly refusal: string };

export const LOCALE = /^[a-z]{2,3}_[A-Z]{2}$/;

/**
 * Reads an uploaded model. Refuses models that an agent trained, and models that contain their training
 * values or fingerprints of their training values. The cost grows with the size of the file, so do not call
 * this function on the event loop.
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
    return 'was trained by an agent; such a model cannot be uploaded';
  if (originals !== 'none')
    return 'contains its training values or fingerprints of them; train it again with `understudy train --originals none`';
  if (!LOCALE.test(locale)) return 'has no locale like en_US';
  return undefined;
}
