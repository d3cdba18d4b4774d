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
 * All that ships, where definitions look for what they name. Each file is read when it is first asked for and kept, some
 * megabytes in all.
 */
export class BuiltinLibrary implements Required<GeneratorSources> {
  /** The generators of the library and every composition that ships, by its id and by its registered name. */
  readonly registry: Generators = withCompositions(CORE_REGISTRY, {
    names: () => [...compositionIds().keys()],
    read: (name) => readBuiltinComposition(compositionIds().get(name) ?? ''),
  });
  // What is not there is not kept: templates can make any number of such names.
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

/** Ids of compositions by id, and by the name that the composition itself bears. */
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

/** `en_US/full_names` is registered as `@models/en-us:full_names`. */
function registeredName(id: string): string {
  const [locale = '', name = ''] = id.split('/');
  return `@models/${locale.toLowerCase().replace('_', '-')}:${name}`;
}
