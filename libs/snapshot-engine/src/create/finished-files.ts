import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveDraft } from '@understudy/snapshot-store';

/**
 * Brings files of a folder into an archive while pg_dump still writes others, and removes each: the disk holds what is being written, not the whole
 * dump. How many are read at a time is the store's to say.
 */
export class FinishedFiles {
  private readonly storing = new Map<string, Promise<void>>();
  private readonly failing = new AbortController();

  constructor(
    private readonly folder: string,
    private readonly draft: ArchiveDraft,
    private readonly stored: () => Promise<void> | void,
  ) {}

  /** Aborted, with the reason, by the first file that cannot be stored: no other will be of use. */
  get failed(): AbortSignal {
    return this.failing.signal;
  }

  /** Nothing writes to this file any more, if there is one. */
  finished(name: string): void {
    if (this.storing.has(name)) return;
    const storing = this.store(name).catch((error: unknown) => this.failing.abort(error));
    this.storing.set(name, storing);
  }

  /** Nothing writes to any file any more. Resolves when all are stored. @throws why one could not be */
  async all(): Promise<void> {
    for (const name of await readdir(this.folder)) this.finished(name);
    await Promise.all(this.storing.values());
    this.failing.signal.throwIfAborted();
  }

  private async store(name: string): Promise<void> {
    this.failing.signal.throwIfAborted();
    const path = join(this.folder, name);
    const size = await sizeOf(path);
    if (size === undefined) {
      this.storing.delete(name);
      return;
    }
    const source = createReadStream(path, { highWaterMark: READ_BYTES });
    await this.draft.write(name, source, { expectedBytes: size, signal: this.failing.signal });
    await rm(path);
    await this.stored();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

const READ_BYTES = 256 * 1024;
