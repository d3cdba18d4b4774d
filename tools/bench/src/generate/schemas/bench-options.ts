import { builtinModels } from '@understudy/builtin-models/node';
import type { CompileOptions } from '@understudy/generator';
import { type NgramModel, readModel } from '@understudy/ngram';

/** Fixed reference time, so that every run generates the same bytes. */
const NOW_MS = Date.UTC(2026, 0, 1);

/**
 * @returns the options with which every schema of the benchmark is compiled. Their function `models` caches
 *   each built-in model after its first use
 */
export function benchOptions(): CompileOptions {
  const models = new Map<string, NgramModel>();
  return {
    nowMs: NOW_MS,
    models(id) {
      let model = models.get(id);
      if (model) return model;
      const bytes = builtinModels.readModel(id);
      if (!bytes) return undefined;
      model = readModel(bytes);
      models.set(id, model);
      return model;
    },
  };
}
