import { type NgramModel, readModel } from '@understudy/ngram';

import { RecentlyUsed } from '../models/recently-used.js';
import type { BuiltinModelRegistry } from './builtin-model-registry.js';
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

export interface TaskModels {
  readonly find: (id: string) => NgramModel | undefined;
  /** The custom models that were found, in the order of the first question for each. */
  readonly used: readonly UsedModel[];
}

/** All models that a thread has met: built-in ones, and the organisations' own by the hash of their file. */
export class ThreadModels {
  private readonly custom = new RecentlyUsed<NgramModel>(KEPT_BYTES);

  constructor(private readonly builtin: BuiltinModelRegistry) {}

  /**
   * The lookup for one task. A custom model is asked for once: a task sees one version of it, whoever replaces it meanwhile.
   * @param line absent for a task that has no business with custom models
   */
  forTask(line: QuestionLine | undefined): TaskModels {
    const asked = new Map<string, NgramModel | undefined>();
    const used: UsedModel[] = [];
    const find = (id: string): NgramModel | undefined => {
      if (line === undefined || !id.startsWith('custom/')) return this.builtin.find(id);
      if (!asked.has(id)) asked.set(id, this.ask(line, id, used));
      return asked.get(id);
    };
    return { find, used };
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
