import type { BuiltinLibrary } from '@understudy/builtin-models';
import type { GeneratorSources } from '@understudy/generator';
import { type NgramModel, readModel } from '@understudy/ngram';

import { RecentlyUsed } from '../models/recently-used.js';
import { askForModel, type QuestionLine } from './threads/model-questions.js';

/** Files of the custom models that one thread keeps read. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** All that definitions may name in one thread: what ships with the product, and what the organisation of a task has of its own. */
export class ThreadLibrary {
  private readonly custom = new RecentlyUsed<NgramModel>(KEPT_BYTES);

  constructor(private readonly builtin: BuiltinLibrary) {}

  /**
   * What one task may name. A custom model is asked for once: a task sees one version of it, whoever replaces it meanwhile.
   * @param line absent for a task that has no business with custom models
   */
  forTask(line: QuestionLine | undefined): GeneratorSources {
    const { models, assets, registry } = this.builtin;
    if (line === undefined) return { models, assets, registry };
    const asked = new Map<string, NgramModel | undefined>();
    const find = (id: string): NgramModel | undefined => {
      if (!asked.has(id)) asked.set(id, this.ask(line, id));
      return asked.get(id);
    };
    return { models: (id) => (id.startsWith('custom/') ? find(id) : models(id)), assets, registry };
  }

  private ask(line: QuestionLine, id: string): NgramModel | undefined {
    const answer = askForModel(line, id, this.custom.keys());
    if (answer === undefined) return undefined;
    const known = this.custom.get(answer.hash);
    if (known !== undefined || answer.file === undefined) return known;
    const model = readModel(answer.file);
    this.custom.set(answer.hash, model, answer.file.length);
    return model;
  }
}
