import {
  CORE_REGISTRY,
  withCompositions,
  type Generators,
  type GeneratorSources,
  type ModelSource,
} from '@understudy/generator';
import { readModel } from '@understudy/ngram';
import type { BuiltinModels } from './builtin-models.js';

/**
 * Resolves the names of built-in models, lists and compositions for generator definitions. Reads a file when
 * a name first needs it and keeps the file in memory. All files together have a few megabytes.
 */
export class BuiltinLibrary implements Required<GeneratorSources> {
  readonly registry: Generators;
  /** Two entries for every built-in composition: its id and its registered name. Both map to the id. */
  private compositions: ReadonlyMap<string, string> | undefined;
  // Unknown names are not cached, because a template can produce any number of them.
  private readonly known = new Map<string, ModelSource>();
  private readonly lists = new Map<string, unknown>();

  /** @param files the models; they are read with each call, so the library caches what it read */
  constructor(readonly files: BuiltinModels) {
    this.registry = withCompositions(CORE_REGISTRY, {
      names: () => [...this.compositionIds().keys()],
      read: (name) => files.readComposition(this.compositionIds().get(name) ?? ''),
    });
  }

  readonly models = (id: string): ModelSource | undefined => {
    const source = this.known.get(id) ?? this.readSource(id);
    if (source !== undefined) this.known.set(id, source);
    return source;
  };

  readonly modelIds = (): readonly string[] => this.files.all().map(({ id }) => id);

  readonly assets = (name: string): unknown => {
    const list = this.lists.get(name) ?? this.files.readAsset(name);
    if (list !== undefined) this.lists.set(name, list);
    return list;
  };

  private readSource(id: string): ModelSource | undefined {
    const file = this.files.readModel(id);
    if (file !== undefined) return readModel(file);
    if (this.compositionIds().has(id)) return { kind: 'composition', use: id };
    const values = this.assets(id);
    return values === undefined ? undefined : { kind: 'list', values };
  }

  private compositionIds(): ReadonlyMap<string, string> {
    return (this.compositions ??= new Map(
      this.files.all().flatMap(({ id, kind }) =>
        kind === 'composition'
          ? [
              [id, id],
              [registeredName(id), id],
            ]
          : [],
      ),
    ));
  }
}

/** Returns the registered name of an id: `@models/en-us:full_names` for `en_US/full_names`. */
function registeredName(id: string): string {
  const [locale = '', name = ''] = id.split('/');
  return `@models/${locale.toLowerCase().replace('_', '-')}:${name}`;
}
