import type { BuiltinLibrary } from '@understudy/builtin-models';
import type { GeneratorSources } from '@understudy/generator';
import { type NgramModel, readModel } from '@understudy/ngram';

import { RecentlyUsed } from '../models/recently-used.js';
import { askForModel, type QuestionLine } from './threads/model-questions.js';

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

export interface TaskLibrary {
  readonly sources: GeneratorSources;
  /** The custom models that were found, in the order of the first question for each. */
  readonly usedModels: readonly UsedModel[];
}

/** All that definitions may name in one thread: what ships with the product, and what the organisation of a task has of its own. */
export class ThreadLibrary {
  private readonly custom = new RecentlyUsed<NgramModel>(KEPT_BYTES);

  constructor(private readonly builtin: BuiltinLibrary) {}

  /**
   * What one task may name. A custom model is asked for once: a task sees one version of it, whoever replaces it meanwhile.
   * @param line absent for a task that has no business with custom models
   */
  forTask(line: QuestionLine | undefined): TaskLibrary {
    const { models, assets, registry } = this.builtin;
    if (line === undefined) return { sources: { models, assets, registry }, usedModels: [] };
    const asked = new Map<string, NgramModel | undefined>();
    const usedModels: UsedModel[] = [];
    const find = (id: string): NgramModel | undefined => {
      if (!asked.has(id)) asked.set(id, this.ask(line, id, usedModels));
      return asked.get(id);
    };
    return {
      sources: { models: (id) => (id.startsWith('custom/') ? find(id) : models(id)), assets, registry },
      usedModels,
    };
  }

  private ask(line: QuestionLine, id: string, used: UsedModel[]): NgramModel | undefined {
    const answer = askForModel(line, id, this.custom.keys());
    if (answer === undefined) return undefined;
    const { hash, byteLength, file } = answer;
    const model = this.custom.get(hash) ?? (file && readModel(file));
    if (model === undefined) return undefined;
    if (file !== undefined) this.custom.set(hash, model, file.length);
    used.push({ id, hash, byteLength });
    return model;
  }
}
