import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineKeys } from '../policy.js';
import { replaceFile } from './replace-file.js';

/** The private models of this agent. Each is one `.ngram` file that only the agent's user can read. */
export class ModelStore {
  /**
   * The 16-byte key with which model files store fingerprints of original values. Only with this key can
   * guesses about original values be tested against a file.
   */
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
   * Writes a model and replaces an existing one of the same name atomically.
   * @param acceptedAt the time at which the training job was accepted, by the control plane's clock. It
   * becomes the modification time of the file.
   */
  write(name: string, file: Uint8Array, acceptedAt: Date): Promise<void> {
    return replaceFile(this.path(name), file, acceptedAt);
  }

  /**
   * Erases a model if it exists. The model stays if the job that trained it was accepted after the request.
   * @param requestedAt the time of the request, by the control plane's clock
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

  /** Reads the file of a model. @returns undefined if there is no model of this name */
  read(name: string): Uint8Array | undefined {
    try {
      return readFileSync(this.path(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /**
   * Computes the keyed hash of a model file, in hex. The hash may leave the agent; the file may not. If the
   * hash had no key, guesses about the values of a small column could be tested against it.
   */
  reportedHash(file: Uint8Array): string {
    return createHmac('sha256', this.keys.modelKey).update(file).digest('hex');
  }

  /**
   * Returns the path of a model's file. Rejects names with a slash, so that the path stays inside the folder.
   */
  private path(name: string): string {
    if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name))
      throw new Error(
        'expected the name of a private model: 1 to 128 letters, digits, dots, hyphens or underscores',
      );
    return join(this.folder, `${name}.ngram`);
  }
}

/** Returns the SHA-256 of a file, in hex. */
export function contentHash(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex');
}
