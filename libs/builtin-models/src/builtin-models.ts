import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The index entry of a built-in model. The recipe in models/ builds all built-in models. */
export interface BuiltinModel {
  readonly id: string;
  /**
   * - `ngram` is an n-gram model that contains its training values (`readBuiltinModel`). Every model except
   *   the model of sentences also has a list of real values (`readBuiltinAsset`).
   * - `list` is a list of real values without a model. A model of these values would produce too few new
   *   values or wrong ones.
   * - `composition` is a generator that combines other generators (`readBuiltinComposition`).
   */
  readonly kind: 'ngram' | 'list' | 'composition';
  readonly locale: string;
  readonly name: string;
  /** An SPDX expression that covers every source of the model. */
  readonly licence: string;
  readonly source: string;
  /** The number of elements of the list, if the model has a list. */
  readonly items?: number;
  /** The number of arrays, if the list is a map of arrays. */
  readonly buckets?: number;
  /** N-gram models only: the order, the number of distinct values learned, and the number of transitions. */
  readonly order?: number;
  readonly learned?: number;
  readonly transitions?: number;
}

// The path is the same from src/ and from dist/.
const ASSETS = join(import.meta.dirname, '..', 'assets');

let index: ReadonlyMap<string, BuiltinModel> | undefined;

/** Returns every built-in model, sorted by id. */
export function builtinModels(): readonly BuiltinModel[] {
  return [...readIndex().values()];
}

/** Returns the locales of the built-in models without duplicates. */
export function builtinLocales(): readonly string[] {
  return [...new Set(builtinModels().map(({ locale }) => locale))];
}

/** Returns the ids that `readBuiltinModel` can read, sorted. */
export function builtinModelIds(): readonly string[] {
  return builtinModels().flatMap(({ id, kind }) => (kind === 'ngram' ? [id] : []));
}

/**
 * Returns the file of a built-in n-gram model as input for `readModel`, or undefined for any other id. Every
 * call reads the disk, so callers should cache the model.
 */
export function readBuiltinModel(id: string): Uint8Array | undefined {
  return readIndex().get(id)?.kind === 'ngram' ? readFileSync(join(ASSETS, `${id}.ngram`)) : undefined;
}

/**
 * Returns the definition of a built-in composition as input for `defineComposition`, or undefined for any
 * other id. The composition uses built-in models and lists of its locale. Every call reads the disk.
 */
export function readBuiltinComposition(id: string): unknown {
  return readIndex().get(id)?.kind === 'composition' ? readJson(`${id}.composition.json`) : undefined;
}

/**
 * Returns the built-in list of this name in a form that `type: list` accepts: an array of values or `{ value,
 * weight }`, or a map of arrays. Returns undefined for any other name, and for models without a list, such as
 * sentences. Every call reads the disk, so callers should cache the list.
 */
export function readBuiltinAsset(name: string): unknown {
  const entry = readIndex().get(name);
  if (entry?.items === undefined) return undefined;
  const list = readJson(`${name}.list.json`) as ListFile;
  if ('buckets' in list) return list.buckets;
  if ('of' in list) return list.of.flatMap((part) => readBuiltinAsset(part) as unknown[]);
  const { values, weights } = list;
  return weights === undefined ? values : values.map((value, i) => ({ value, weight: weights[i] }));
}

/** The compact form in which a list file stores a list. */
type ListFile =
  | { readonly values: readonly string[]; readonly weights?: readonly number[] }
  | { readonly of: readonly string[] }
  | { readonly buckets: Readonly<Record<string, readonly string[]>> };

// Only ids of the index become file paths, so no id can refer to a file outside of the assets folder.
function readIndex(): ReadonlyMap<string, BuiltinModel> {
  index ??= new Map(
    (readJson('index.json') as BuiltinModel[]).map((entry) => [entry.id, Object.freeze(entry)]),
  );
  return index;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(ASSETS, file), 'utf8'));
}
