import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What ships under an id `<locale>/<name>`. Made by models/, described there. */
export interface BuiltinModel {
  readonly id: string;
  /**
   * `ngram`: a model (`readBuiltinModel`) that holds what it learned, and beside it the list of what exists
   * (`readBuiltinAsset`), but for sentences.
   * `list`: that list alone, because made-up values would be too few or wrong.
   * `composition`: a generator made of others (`readBuiltinComposition`).
   */
  readonly kind: 'ngram' | 'list' | 'composition';
  readonly locale: string;
  readonly name: string;
  /** SPDX expression of everything it is made of. */
  readonly licence: string;
  readonly source: string;
  /** Elements of the list, where there is one. */
  readonly items?: number;
  /** Of a list that is a map of arrays: how many. */
  readonly buckets?: number;
  /** Of an n-gram: its order, distinct values learned, and transitions. */
  readonly order?: number;
  readonly learned?: number;
  readonly transitions?: number;
}

// One level up from src/ as from dist/.
const ASSETS = join(import.meta.dirname, '..', 'assets');

let index: ReadonlyMap<string, BuiltinModel> | undefined;

/** All that ships, sorted by id. */
export function builtinModels(): readonly BuiltinModel[] {
  return [...readIndex().values()];
}

/** The locales of all that ships, each once. */
export function builtinLocales(): readonly string[] {
  return [...new Set(builtinModels().map(({ locale }) => locale))];
}

/** Ids of the n-gram models, those that `readBuiltinModel` reads; sorted. */
export function builtinModelIds(): readonly string[] {
  return builtinModels().flatMap(({ id, kind }) => (kind === 'ngram' ? [id] : []));
}

/**
 * The file of a built-in n-gram model, for `readModel`; undefined for any other id. Reads the disk at every call:
 * keep the model.
 */
export function readBuiltinModel(id: string): Uint8Array | undefined {
  return readIndex().get(id)?.kind === 'ngram' ? readFileSync(join(ASSETS, `${id}.ngram`)) : undefined;
}

/**
 * The composition of an id, for `defineComposition`; undefined for any other id. It draws from built-in models and
 * list assets of its locale. Reads the disk at every call.
 */
export function readBuiltinComposition(id: string): unknown {
  return readIndex().get(id)?.kind === 'composition' ? readJson(`${id}.composition.json`) : undefined;
}

/**
 * The list of an id, as `type: list` takes it: an array of values or `{ value, weight }`, or a map of arrays.
 * Undefined for any other name, sentences among them. Reads the disk at every call: keep the list.
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

/** A list as it is kept: short, because there are many. */
type ListFile =
  | { readonly values: readonly string[]; readonly weights?: readonly number[] }
  | { readonly of: readonly string[] }
  | { readonly buckets: Readonly<Record<string, readonly string[]>> };

// Only ids of the index become paths, so that no id leaves the folder.
function readIndex(): ReadonlyMap<string, BuiltinModel> {
  index ??= new Map(
    (readJson('index.json') as BuiltinModel[]).map((entry) => [entry.id, Object.freeze(entry)]),
  );
  return index;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(ASSETS, file), 'utf8'));
}
