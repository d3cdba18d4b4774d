import { type NgramModel, readModel } from '@understudy/ngram';

import { RecentlyUsed } from '../models/recently-used.js';
import type { BuiltinModelRegistry } from './builtin-model-registry.js';
import { askForModel, type QuestionLine } from './threads/model-questions.js';

/** Files of the custom models that one thread keeps read. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** All models that a thread has met: built-in ones, and the organisations' own by the hash of their file. */
export class ThreadModels {
  private readonly custom = new RecentlyUsed<NgramModel>(KEPT_BYTES);

  constructor(private readonly builtin: BuiltinModelRegistry) {}

  /**
   * The lookup for one task. A custom model is asked for once: a task sees one version of it, whoever replaces it meanwhile.
   * @param line absent for a task that has no business with custom models
   */
  forTask(line: QuestionLine | undefined): (id: string) => NgramModel | undefined {
    const asked = new Map<string, NgramModel | undefined>();
    return (id) => {
      if (line === undefined || !id.startsWith('custom/')) return this.builtin.find(id);
      if (!asked.has(id)) asked.set(id, this.ask(line, id));
      return asked.get(id);
    };
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
