import { builtinModelIds, builtinModels, readBuiltinModel } from '@understudy/builtin-models';
import { ModelFormatError, type NgramModel, readModel } from '@understudy/ngram';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { asFileError, CliError, fileError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';

/** @param place a `.ngram` file, or the id of a built-in model where there is no such file */
export async function loadModel(place: string): Promise<NgramModel> {
  if (existsSync(place)) return readModelFile(place);
  const bytes = readBuiltinModel(place);
  if (bytes !== undefined) return readModel(bytes);
  const builtin = builtinModels().find(({ id }) => id === place);
  if (builtin) throw new CliError(EXIT.refused, `${place}: is no n-gram model but a ${builtin.kind}`);
  if (/^[a-z]{2,3}_[A-Z]{2}\//.test(place)) {
    const others = similarIds(place).join(', ');
    throw fileError(place, `there is neither such a file nor such a built-in model; there is ${others}`);
  }
  return readModelFile(place);
}

/** Of the same locale, or else of the same name. */
function similarIds(place: string): readonly string[] {
  const [locale = '', name = ''] = place.split('/');
  const ofLocale = builtinModelIds().filter((id) => id.startsWith(`${locale}/`));
  return ofLocale.length > 0
    ? ofLocale
    : builtinModelIds().filter((id) => id.endsWith(`/${name}`) || id.startsWith('en_US/'));
}

export async function readModelFile(file: string): Promise<NgramModel> {
  const bytes = await readFile(file).catch(asFileError(file));
  return asModel(file, bytes);
}

/** The bytes of a file that holds a model. @throws CliError when it does not */
export async function readModelBytes(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file).catch(asFileError(file));
  asModel(file, bytes);
  return bytes;
}

/** @throws CliError when the bytes of the file hold no model */
export function asModel(file: string, bytes: Uint8Array): NgramModel {
  try {
    return readModel(bytes);
  } catch (error) {
    if (error instanceof ModelFormatError)
      throw fileError(file, `is not a usable .ngram file: ${error.message}`);
    throw error;
  }
}
