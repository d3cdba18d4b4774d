import type { HashedModel } from '@understudy/masking';
import { readModel } from '@understudy/ngram';
import { contentHash, type ModelStore } from './model-store.js';

const PRIVATE = 'private/';

/** The models that a job's rules may name: built-in ones, and the agent's own as `private/<name>`. Read when first asked for. */
export class ModelRegistry {
  private readonly known = new Map<string, HashedModel | undefined>();

  /** @param builtin the `.ngram` file of an id, or undefined */
  constructor(
    private readonly store: ModelStore,
    private readonly builtin: (id: string) => Uint8Array | undefined,
  ) {}

  readonly find = (id: string): HashedModel | undefined => {
    if (!this.known.has(id)) this.known.set(id, this.load(id));
    return this.known.get(id);
  };

  /** Forgets a model that was trained anew. */
  forget(id: string): void {
    this.known.delete(id);
  }

  private load(id: string): HashedModel | undefined {
    const file = id.startsWith(PRIVATE) ? this.store.read(id.slice(PRIVATE.length)) : this.builtin(id);
    if (file === undefined) return undefined;
    const model = readModel(file, { fingerprintKey: this.store.fingerprintKey });
    return { model, hash: contentHash(file) };
  }
}
