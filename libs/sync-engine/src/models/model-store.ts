import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineKeys } from '../policy.js';
import { replaceFile } from './replace-file.js';

/** The private models of this agent: one `.ngram` file each, readable by the agent's user alone. */
export class ModelStore {
  /** 16 bytes. Keys the fingerprints of originals in the files: without it a file confirms no guess. */
  readonly fingerprintKey: Uint8Array;
  private readonly folder: string;

  constructor(
    stateDir: string,
    private readonly keys: Pick<EngineKeys, 'modelKey'>,
  ) {
    this.folder = join(stateDir, 'models', 'private');
    this.fingerprintKey = createHmac('sha256', keys.modelKey)
      .update('model originals')
      .digest()
      .subarray(0, 16);
  }

  /**
   * Replaces the model of that name at once: a reader sees the old file or the new one, whole.
   * @param acceptedAt when the job that trains it was accepted, by the control plane's clock: the file is as old as that
   */
  write(name: string, file: Uint8Array, acceptedAt: Date): Promise<void> {
    return replaceFile(this.path(name), file, acceptedAt);
  }

  /**
   * Erases the model of that name unless a job accepted later has trained it anew. No such model is as good as erased.
   * @param requestedAt by the control plane's clock
   */
  async erase(name: string, requestedAt: Date): Promise<void> {
    const path = this.path(name);
    try {
      if ((await stat(path)).mtime > requestedAt) return;
      await rm(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** @returns undefined when there is no model of that name */
  read(name: string): Uint8Array | undefined {
    try {
      return readFileSync(this.path(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** 32 bytes that may leave the agent: under a key, since a plain hash of a small column could be confirmed by guessing. */
  reportedHash(file: Uint8Array): Uint8Array {
    return createHmac('sha256', this.keys.modelKey).update(file).digest();
  }

  /** Rules accept no slash in a name, so that it stays inside the folder. */
  private path(name: string): string {
    if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name)) throw new Error('not a name of a private model');
    return join(this.folder, `${name}.ngram`);
  }
}

/** Names a file's content inside this agent. */
export function contentHash(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex');
}
