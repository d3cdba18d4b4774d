import {
  CORE_REGISTRY,
  withCompositions,
  type Generators,
  type GeneratorSources,
  type ModelSource,
} from '@understudy/generator';
import { readModel } from '@understudy/ngram';
import {
  builtinModels,
  readBuiltinAsset,
  readBuiltinComposition,
  readBuiltinModel,
} from './builtin-models.js';

/**
 * Resolves the names of built-in models, lists and compositions for generator definitions. Reads a file when
 * a name first needs it and keeps the file in memory. All files together have a few megabytes.
 */
export class BuiltinLibrary implements Required<GeneratorSources> {
  readonly registry: Generators = withCompositions(CORE_REGISTRY, {
    names: () => [...compositionIds().keys()],
    read: (name) => readBuiltinComposition(compositionIds().get(name) ?? ''),
  });
  // Unknown names are not cached, because a template can produce any number of them.
  private readonly known = new Map<string, ModelSource>();
  private readonly lists = new Map<string, unknown>();

  readonly models = (id: string): ModelSource | undefined => {
    const source = this.known.get(id) ?? this.readSource(id);
    if (source !== undefined) this.known.set(id, source);
    return source;
  };

  readonly assets = (name: string): unknown => {
    const list = this.lists.get(name) ?? readBuiltinAsset(name);
    if (list !== undefined) this.lists.set(name, list);
    return list;
  };

  private readSource(id: string): ModelSource | undefined {
    const file = readBuiltinModel(id);
    if (file !== undefined) return readModel(file);
    if (compositionIds().has(id)) return { kind: 'composition', use: id };
    const values = this.assets(id);
    return values === undefined ? undefined : { kind: 'list', values };
  }
}

let ids: ReadonlyMap<string, string> | undefined;

/** Returns two entries for every built-in composition: its id and its registered name. Both map to the id. */
function compositionIds(): ReadonlyMap<string, string> {
  ids ??= new Map(
    builtinModels().flatMap(({ id, kind }) =>
      kind === 'composition'
        ? [
            [id, id],
            [registeredName(id), id],
          ]
        : [],
    ),
  );
  return ids;
}

/** Returns the registered name of an id: `@models/en-us:full_names` for `en_US/full_names`. */
function registeredName(id: string): string {
  const [locale = '', name = ''] = id.split('/');
  return `@models/${locale.toLowerCase().replace('_', '-')}:${name}`;
}
