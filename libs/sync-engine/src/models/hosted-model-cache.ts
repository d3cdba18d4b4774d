import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash } from './model-store.js';
import { replaceFile } from './replace-file.js';

const SUFFIX = '.ngram';

/**
 * Caches the files of uploaded models on the agent's disk, by SHA-256. If all files together exceed the size
 * limit, the least recently used files are removed.
 */
export class HostedModelCache {
  private readonly folder: string;

  constructor(
    stateDir: string,
    private readonly maxBytes: number,
  ) {
    this.folder = join(stateDir, 'models', 'hosted');
  }

  /** Reads a file by its hash. @returns undefined if the file is missing or damaged */
  async read(hash: string): Promise<Uint8Array | undefined> {
    const path = this.path(hash);
    const file = await readFile(path).catch(ignoreMissing);
    if (file === undefined) return undefined;
    if (contentHash(file) !== hash) {
      await rm(path, { force: true });
      return undefined;
    }
    const now = new Date();
    await utimes(path, now, now).catch(ignoreMissing);
    return file;
  }

  /**
   * Writes a file, and removes the least recently used other files until the size limit is met. The new file
   * stays even if it is larger than the limit.
   */
  async write(hash: string, file: Uint8Array): Promise<void> {
    await replaceFile(this.path(hash), file);
    const others = await this.others(`${hash}${SUFFIX}`);
    let used = file.length + others.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of others) {
      if (used <= this.maxBytes) return;
      await rm(path, { force: true });
      used -= size;
    }
  }

  /**
   * Lists all files except `name`, least recently used first. Incomplete files left by a crash are included.
   */
  private async others(name: string): Promise<{ path: string; size: number; usedAtMs: number }[]> {
    const names = (await readdir(this.folder)).filter((other) => other !== name);
    const found = await Promise.all(
      names.map(async (other) => {
        const path = join(this.folder, other);
        const facts = await stat(path).catch(ignoreMissing);
        return facts && { path, size: facts.size, usedAtMs: facts.mtimeMs };
      }),
    );
    return found.filter((file) => file !== undefined).sort((a, b) => a.usedAtMs - b.usedAtMs);
  }

  private path(hash: string): string {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('expected a SHA-256 in lower-case hex');
    return join(this.folder, `${hash}${SUFFIX}`);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
