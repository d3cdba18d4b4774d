import type { BuiltinLibrary } from '@understudy/builtin-models';
import { parseExactJson } from '@understudy/expression';
import { withCompositions, type GeneratorSources } from '@understudy/generator';
import { type NgramModel, readModel } from '@understudy/ngram';

import {
  type StoredComposition,
  lookUpComposition,
  lookUpCompositionNames,
  lookUpModel,
  type LookupLine,
} from './task-lookups.js';
import { RecentlyUsed } from './recently-used.js';

/** The maximum total size of the custom models that one thread keeps in memory. */
const KEPT_BYTES = 64 * 1024 * 1024;

export interface UsedModel {
  /** `custom/<name>` */
  readonly id: string;
  /** SHA-256 of the model's file, in hex. */
  readonly hash: string;
  readonly byteLength: number;
}

export interface UsedComposition extends StoredComposition {
  /** The reference in the definition, with or without a version. */
  readonly use: string;
}

export interface TaskLibrary {
  readonly sources: GeneratorSources;
  /** The custom models that were found, in the order of their first use. */
  readonly usedModels: readonly UsedModel[];
  /** The registered compositions that were found, including nested ones. */
  readonly usedCompositions: readonly UsedComposition[];
  /**
   * Ends the lookups: afterwards, the sources find only models and compositions that they found before. Call
   * this method before the task ends if the sources are used later.
   */
  close(): void;
}

/**
 * Provides the models and generators that definitions may use in one thread: the built-in ones, and for each
 * task also those of the task's organisation.
 */
export class WorkerLibrary {
  private readonly custom = new RecentlyUsed<NgramModel>(KEPT_BYTES);

  constructor(private readonly builtin: BuiltinLibrary) {}

  /**
   * Returns the sources for one task. Each custom model is looked up once, so that a task sees only one version of it.
   * @param line absent if the task may use only built-in models and generators
   * @param registering name of the composition that is being registered. No composition of this name is found, because
   *   a composition must not contain itself.
   */
  forTask(line: LookupLine | undefined, registering?: string): TaskLibrary {
    const { models, modelIds, assets, registry } = this.builtin;
    if (line === undefined)
      return {
        sources: { models, modelIds, assets, registry },
        usedModels: [],
        usedCompositions: [],
        close: () => undefined,
      };
    let open = true;
    const lookedUp = new Map<string, NgramModel | undefined>();
    const usedModels: UsedModel[] = [];
    const find = (id: string): NgramModel | undefined => {
      if (open && !lookedUp.has(id)) lookedUp.set(id, this.find(line, id, usedModels));
      return lookedUp.get(id);
    };
    const usedCompositions: UsedComposition[] = [];
    const registered = withCompositions(registry, {
      names: () => (open ? lookUpCompositionNames(line).filter((name) => name !== registering) : []),
      read: (use) => {
        const found = !open || use === registering ? undefined : lookUpComposition(line, use);
        if (found === undefined) return undefined;
        usedCompositions.push({ use, ...found });
        return parseExactJson(found.definitionJson);
      },
    });
    return {
      sources: {
        models: (id) => (id.startsWith('custom/') ? find(id) : models(id)),
        modelIds,
        assets,
        registry: registered,
      },
      usedModels,
      usedCompositions,
      close: () => (open = false),
    };
  }

  private find(line: LookupLine, id: string, used: UsedModel[]): NgramModel | undefined {
    const response = lookUpModel(line, id, this.custom.keys());
    if (response === undefined) return undefined;
    const { hash, byteLength, file } = response;
    const model = this.custom.get(hash) ?? (file && readModel(file));
    if (model === undefined) return undefined;
    if (file !== undefined) this.custom.set(hash, model, file.length);
    used.push({ id, hash, byteLength });
    return model;
  }
}
