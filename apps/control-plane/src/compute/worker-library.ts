import type { BuiltinLibrary } from '@understudy/builtin-models';
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

/** Files of the custom models that one thread keeps read. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** A custom model that a task drew from. */
export interface UsedModel {
  /** `custom/<name>` */
  readonly id: string;
  /** SHA-256 of its file, in hex. */
  readonly hash: string;
  readonly byteLength: number;
}

/** A registered composition that a task used. */
export interface UsedComposition extends StoredComposition {
  /** As a definition names it: with a version, or without. */
  readonly use: string;
}

export interface TaskLibrary {
  readonly sources: GeneratorSources;
  /** The custom models that were found, in the order of the first question for each. */
  readonly usedModels: readonly UsedModel[];
  /** The registered compositions that were found, inner ones too. */
  readonly usedCompositions: readonly UsedComposition[];
  /** For sources that outlive their task: what the organisation has, and was not asked for yet, is not there from now on. */
  close(): void;
}

/** All that definitions may name in one thread: what ships with the product, and what the organisation of a task has of its own. */
export class WorkerLibrary {
  private readonly custom = new RecentlyUsed<NgramModel>(KEPT_BYTES);

  constructor(private readonly builtin: BuiltinLibrary) {}

  /**
   * What one task may name. A custom model is asked for once: a task sees one version of it, whoever replaces it meanwhile.
   * @param line absent for a task that has no business with what organisations have of their own
   * @param registering name of a composition that is being registered: for itself and what it uses there is none of that
   *   name, or compositions would come to contain themselves
   */
  forTask(line: LookupLine | undefined, registering?: string): TaskLibrary {
    const { models, assets, registry } = this.builtin;
    if (line === undefined)
      return {
        sources: { models, assets, registry },
        usedModels: [],
        usedCompositions: [],
        close: () => undefined,
      };
    let open = true;
    const asked = new Map<string, NgramModel | undefined>();
    const usedModels: UsedModel[] = [];
    const find = (id: string): NgramModel | undefined => {
      if (open && !asked.has(id)) asked.set(id, this.find(line, id, usedModels));
      return asked.get(id);
    };
    const usedCompositions: UsedComposition[] = [];
    const registered = withCompositions(registry, {
      names: () => (open ? lookUpCompositionNames(line).filter((name) => name !== registering) : []),
      read: (use) => {
        const found = !open || use === registering ? undefined : lookUpComposition(line, use);
        if (found === undefined) return undefined;
        usedCompositions.push({ use, ...found });
        return JSON.parse(found.definitionJson) as unknown;
      },
    });
    return {
      sources: {
        models: (id) => (id.startsWith('custom/') ? find(id) : models(id)),
        assets,
        registry: registered,
      },
      usedModels,
      usedCompositions,
      close: () => (open = false),
    };
  }

  private find(line: LookupLine, id: string, used: UsedModel[]): NgramModel | undefined {
    const answer = lookUpModel(line, id, this.custom.keys());
    if (answer === undefined) return undefined;
    const { hash, byteLength, file } = answer;
    const model = this.custom.get(hash) ?? (file && readModel(file));
    if (model === undefined) return undefined;
    if (file !== undefined) this.custom.set(hash, model, file.length);
    used.push({ id, hash, byteLength });
    return model;
  }
}
