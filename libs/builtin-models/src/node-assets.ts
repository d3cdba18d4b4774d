import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { BuiltinLibrary } from './builtin-library.js';
import { BuiltinModels } from './builtin-models.js';

/** The folder with the files of the built-in models. The path is the same from src/ and from dist/. */
export const BUILTIN_ASSETS_FOLDER = join(import.meta.dirname, '..', 'assets');

/**
 * The built-in models of this installation, read from its disk. Code for browsers gives BuiltinModels a reader
 * of its own, because this entry of the library needs Node.
 */
export const builtinModels = new BuiltinModels({
  read: (path) => readFileSync(join(BUILTIN_ASSETS_FOLDER, path)),
});

/** Returns a new library of the models of this installation. Libraries share no files in memory. */
export function builtinLibrary(): BuiltinLibrary {
  return new BuiltinLibrary(builtinModels);
}
