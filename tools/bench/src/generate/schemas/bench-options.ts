import { readBuiltinModel } from '@understudy/builtin-models';
import type { CompileOptions } from '@understudy/generator';
import { type NgramModel, readModel } from '@understudy/ngram';

/** A fixed reference instant, so that every run makes the same bytes. */
const NOW_MS = Date.UTC(2026, 0, 1);

/** What every schema of the bench is compiled with: the built-in models, each read once. */
export function benchOptions(): CompileOptions {
  const models = new Map<string, NgramModel>();
  return {
    nowMs: NOW_MS,
    models(id) {
      let model = models.get(id);
      if (model) return model;
      const bytes = readBuiltinModel(id);
      if (!bytes) return undefined;
      model = readModel(bytes);
      models.set(id, model);
      return model;
    },
  };
}
