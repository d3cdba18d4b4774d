/** The index entry of a built-in model. The recipe in models/ builds all built-in models. */
export interface BuiltinModel {
  readonly id: string;
  /**
   * - `ngram` is an n-gram model that contains its training values (`readModel`). Every model except the model
   *   of sentences also has a list of real values (`readAsset`).
   * - `list` is a list of real values without a model. A model of these values would produce too few new
   *   values or wrong ones.
   * - `composition` is a generator that combines other generators (`readComposition`).
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

/** Reads the files in assets/, from a disk or from a server. */
export interface AssetReader {
  /**
   * Returns the content of a file. Blocks until it is read.
   * @param path relative to assets/, such as `en_US/words.ngram`. It is `index.json` or is built from an id in
   *   the index, so it never leaves the folder.
   * @returns undefined if there is no such file
   * @throws Error if the file cannot be read
   */
  read(path: string): Uint8Array | undefined;
}

/** The built-in models, read from the files of a reader. Reads the index once, when it is first needed. */
export class BuiltinModels {
  private index: ReadonlyMap<string, BuiltinModel> | undefined;

  constructor(private readonly reader: AssetReader) {}

  /** Returns every built-in model, sorted by id. */
  all(): readonly BuiltinModel[] {
    return [...this.readIndex().values()];
  }

  /** Returns the locales of the built-in models without duplicates. */
  locales(): readonly string[] {
    return [...new Set(this.all().map(({ locale }) => locale))];
  }

  /** Returns the ids that `readModel` can read, sorted. */
  ngramIds(): readonly string[] {
    return this.all().flatMap(({ id, kind }) => (kind === 'ngram' ? [id] : []));
  }

  /**
   * Returns the file of a built-in n-gram model as input for `readModel` of `@understudy/ngram`, or undefined for
   * any other id. Every call reads the file, so callers should cache the model.
   */
  readModel(id: string): Uint8Array | undefined {
    return this.readIndex().get(id)?.kind === 'ngram' ? this.read(`${id}.ngram`) : undefined;
  }

  /**
   * Returns the definition of a built-in composition as input for `defineComposition`, or undefined for any
   * other id. The composition uses built-in models and lists of its locale. Every call reads the file.
   */
  readComposition(id: string): unknown {
    return this.readIndex().get(id)?.kind === 'composition'
      ? this.readJson(`${id}.composition.json`)
      : undefined;
  }

  /**
   * Returns the built-in list of this name in a form that `type: list` accepts: an array of values or `{ value,
   * weight }`, or a map of arrays. Returns undefined for any other name, and for models without a list, such as
   * sentences. Every call reads the file, so callers should cache the list.
   */
  readAsset(name: string): unknown {
    const entry = this.readIndex().get(name);
    if (entry?.items === undefined) return undefined;
    const list = this.readJson(`${name}.list.json`) as ListFile;
    if ('buckets' in list) return list.buckets;
    if ('of' in list) return list.of.flatMap((part) => this.readAsset(part) as unknown[]);
    const { values, weights } = list;
    return weights === undefined ? values : values.map((value, i) => ({ value, weight: weights[i] }));
  }

  // Only ids of the index become paths, so no id can refer to a file outside of the assets folder.
  private readIndex(): ReadonlyMap<string, BuiltinModel> {
    return (this.index ??= new Map(
      (this.readJson('index.json') as BuiltinModel[]).map((entry) => [entry.id, Object.freeze(entry)]),
    ));
  }

  private readJson(path: string): unknown {
    return JSON.parse(new TextDecoder().decode(this.read(path)));
  }

  private read(path: string): Uint8Array {
    const bytes = this.reader.read(path);
    if (bytes === undefined) throw new Error(`expected the file ${path} of the built-in models, found none`);
    return bytes;
  }
}

/** The compact form in which a list file stores a list. */
type ListFile =
  | { readonly values: readonly string[]; readonly weights?: readonly number[] }
  | { readonly of: readonly string[] }
  | { readonly buckets: Readonly<Record<string, readonly string[]>> };
