import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// One level up from src/ as from dist/.
const ASSETS = join(import.meta.dirname, '..', 'assets');
const EXTENSION = '.ngram';

let ids: readonly string[] | undefined;

/** The ids `<locale>/<name>` of all models that ship with the product, sorted. */
export function builtinModelIds(): readonly string[] {
  ids ??= Object.freeze(listAssets());
  return ids;
}

/**
 * The file of a built-in model, for `readModel`; undefined for any other id. Reads the disk at every call:
 * keep the model.
 */
export function readBuiltinModel(id: string): Uint8Array | undefined {
  // Only listed ids become paths, so that no id leaves the folder.
  return builtinModelIds().includes(id) ? readFileSync(join(ASSETS, `${id}${EXTENSION}`)) : undefined;
}

function listAssets(): string[] {
  return readdirSync(ASSETS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: locale }) =>
      readdirSync(join(ASSETS, locale))
        .filter((file) => file.endsWith(EXTENSION))
        .map((file) => `${locale}/${file.slice(0, -EXTENSION.length)}`),
    )
    .sort();
}
