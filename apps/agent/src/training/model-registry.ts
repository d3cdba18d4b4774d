import type { HashedModel } from '@understudy/masking';
import { readModel } from '@understudy/ngram';
import { contentHash, type ModelStore } from './model-store.js';

const PRIVATE = 'private/';
const CUSTOM = 'custom/';

/**
 * The models that a job's rules may name: built-in ones, uploaded ones as `custom/<name>`, and the agent's own as
 * `private/<name>`. Read when first asked for.
 */
export class ModelRegistry {
  private readonly known = new Map<string, HashedModel | undefined>();

  /**
   * @param builtin the `.ngram` file of an id, or undefined
   * @param hosted files of uploaded models by id
   */
  constructor(
    private readonly store: ModelStore,
    private readonly builtin: (id: string) => Uint8Array | undefined,
    private readonly hosted: ReadonlyMap<string, Uint8Array>,
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
    const file = this.file(id);
    if (file === undefined) return undefined;
    const model = readModel(file, { fingerprintKey: this.store.fingerprintKey });
    return { model, hash: contentHash(file) };
  }

  private file(id: string): Uint8Array | undefined {
    if (id.startsWith(PRIVATE)) return this.store.read(id.slice(PRIVATE.length));
    return id.startsWith(CUSTOM) ? this.hosted.get(id) : this.builtin(id);
  }
}
