import { readBuiltinModel } from '@understudy/builtin-models';
import { readModel, type NgramModel } from '@understudy/ngram';

/** The models that ship with the product, each read once. */
export class BuiltinModelRegistry {
  private readonly models = new Map<string, NgramModel>();

  /** @returns undefined for an id that no built-in model has */
  find(id: string): NgramModel | undefined {
    const known = this.models.get(id);
    if (known) return known;
    const bytes = readBuiltinModel(id);
    if (!bytes) return undefined;
    const model = readModel(bytes);
    this.models.set(id, model);
    return model;
  }
}
