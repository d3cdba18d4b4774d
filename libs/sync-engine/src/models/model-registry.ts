import {
  type BuiltinLibrary,
  readBuiltinAsset,
  readBuiltinComposition,
  readBuiltinModel,
} from '@understudy/builtin-models';
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
  private readonly known = new Map<string, HashedModel>();

  /** @param hosted files of uploaded models by id */
  constructor(
    private readonly store: Pick<ModelStore, 'read' | 'fingerprintKey'>,
    private readonly builtin: BuiltinLibrary,
    readonly hosted: ReadonlyMap<string, Uint8Array>,
  ) {}

  readonly find = (id: string): HashedModel | undefined => {
    const model = this.known.get(id) ?? this.load(id);
    if (model !== undefined) this.known.set(id, model);
    return model;
  };

  /** Forgets a model that was trained anew. */
  forget(id: string): void {
    this.known.delete(id);
  }

  private load(id: string): HashedModel | undefined {
    if (!id.startsWith(PRIVATE) && !id.startsWith(CUSTOM)) return this.loadBuiltin(id);
    const file = id.startsWith(CUSTOM) ? this.hosted.get(id) : this.store.read(id.slice(PRIVATE.length));
    if (file === undefined) return undefined;
    const model = readModel(file, { fingerprintKey: this.store.fingerprintKey });
    return { model, hash: contentHash(file) };
  }

  private loadBuiltin(id: string): HashedModel | undefined {
    const model = this.builtin.models(id);
    if (model === undefined) return undefined;
    const file = readBuiltinModel(id) ?? asBytes(readBuiltinAsset(id) ?? readBuiltinComposition(id));
    return { model, hash: contentHash(file) };
  }
}

function asBytes(json: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(json));
}
