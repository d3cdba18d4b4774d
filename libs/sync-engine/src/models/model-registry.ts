import type { BuiltinLibrary } from '@understudy/builtin-models';
import type { HashedModel } from '@understudy/masking';
import { readModel } from '@understudy/ngram';
import { errorDetail, type EngineLog } from '@understudy/postgres';
import { contentHash, type ModelStore } from './model-store.js';

const PRIVATE = 'private/';
const CUSTOM = 'custom/';

/**
 * The models that a job's rules may name: built-in models, uploaded models (`custom/<name>`) and the agent's
 * private models (`private/<name>`). Each model is read when it is first requested.
 */
export class ModelRegistry {
  private readonly known = new Map<string, HashedModel | undefined>();

  /**
   * @param hosted the files of the uploaded models, by model id
   * @param log receives the ids of models whose files cannot be read. Such models count as missing.
   */
  constructor(
    private readonly store: Pick<ModelStore, 'read' | 'fingerprintKey'>,
    private readonly builtin: BuiltinLibrary,
    readonly hosted: ReadonlyMap<string, Uint8Array>,
    private readonly log?: Pick<EngineLog, 'warn'>,
  ) {}

  readonly find = (id: string): HashedModel | undefined => {
    if (!this.known.has(id)) this.known.set(id, this.load(id));
    return this.known.get(id);
  };

  /** Forgets a model that was trained again, so that the next `find` reads the new file. */
  forget(id: string): void {
    this.known.delete(id);
  }

  private load(id: string): HashedModel | undefined {
    if (!id.startsWith(PRIVATE) && !id.startsWith(CUSTOM)) return this.loadBuiltin(id);
    try {
      const file = id.startsWith(CUSTOM) ? this.hosted.get(id) : this.store.read(id.slice(PRIVATE.length));
      if (file === undefined) return undefined;
      const model = readModel(file, { fingerprintKey: this.store.fingerprintKey });
      return { model, hash: contentHash(file) };
    } catch (error) {
      this.log?.warn({ model: id, detail: errorDetail(error) }, 'the file of a model cannot be read');
      return undefined;
    }
  }

  private loadBuiltin(id: string): HashedModel | undefined {
    const model = this.builtin.models(id);
    if (model === undefined) return undefined;
    const { files } = this.builtin;
    const file = files.readModel(id) ?? asBytes(files.readAsset(id) ?? files.readComposition(id));
    return { model, hash: contentHash(file) };
  }
}

function asBytes(json: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(json));
}
