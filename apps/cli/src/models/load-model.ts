import { builtinModels } from '@understudy/builtin-models/node';
import { ModelFormatError, type NgramModel, readModel } from '@understudy/ngram';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { asFileError, CliError, fileError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';

/**
 * Loads a model.
 * @param model the path of a `.ngram` file, or the id of a built-in model if there is no such file
 */
export async function loadModel(model: string): Promise<NgramModel> {
  if (existsSync(model)) return readModelFile(model);
  const bytes = builtinModels.readModel(model);
  if (bytes !== undefined) return readModel(bytes);
  const builtin = builtinModels.all().find(({ id }) => id === model);
  if (builtin)
    throw new CliError(EXIT.refused, `${model}: expected an n-gram model, but this is a ${builtin.kind}`);
  if (/^[a-z]{2,3}_[A-Z]{2}\//.test(model)) {
    const others = similarIds(model).join(', ');
    throw fileError(model, `there is no such file and no such built-in model; similar models are ${others}`);
  }
  return readModelFile(model);
}

/**
 * Returns the ids of all built-in models of the locale in `model`. If that locale has none, returns the ids
 * of the models with the name in `model` and of the models of en_US.
 */
function similarIds(model: string): readonly string[] {
  const [locale = '', name = ''] = model.split('/');
  const ofLocale = builtinModels.ngramIds().filter((id) => id.startsWith(`${locale}/`));
  return ofLocale.length > 0
    ? ofLocale
    : builtinModels.ngramIds().filter((id) => id.endsWith(`/${name}`) || id.startsWith('en_US/'));
}

export async function readModelFile(file: string): Promise<NgramModel> {
  const bytes = await readFile(file).catch(asFileError(file));
  return asModel(file, bytes);
}

/** Reads the bytes of a model file. @throws CliError if the file contains no valid model */
export async function readModelBytes(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file).catch(asFileError(file));
  asModel(file, bytes);
  return bytes;
}

/** Parses the bytes of a file as a model. @throws CliError if they are not a valid model */
export function asModel(file: string, bytes: Uint8Array): NgramModel {
  try {
    return readModel(bytes);
  } catch (error) {
    if (error instanceof ModelFormatError)
      throw fileError(file, `this is not a valid .ngram file: ${error.message}`);
    throw error;
  }
}
