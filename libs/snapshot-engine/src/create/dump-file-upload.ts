import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveDraft } from '@understudy/snapshot-store';

/**
 * Moves finished files of a dump into an archive while pg_dump still writes others, so that the disk never holds the
 * whole dump. The store limits how many files are read concurrently.
 */
export class DumpFileUpload {
  private readonly uploads = new Map<string, Promise<void>>();
  private readonly aborter = new AbortController();

  constructor(
    private readonly folder: string,
    private readonly draft: ArchiveDraft,
    private readonly onUploaded: () => Promise<void> | void,
  ) {}

  /** A signal that is aborted if a file cannot be stored. Its reason is the error. */
  get failed(): AbortSignal {
    return this.aborter.signal;
  }

  /** Starts the upload of a file that is complete. Does nothing if the file does not exist. */
  upload(name: string): void {
    if (this.uploads.has(name)) return;
    const uploading = this.uploadFile(name).catch((error: unknown) => this.aborter.abort(error));
    this.uploads.set(name, uploading);
  }

  /**
   * Starts the upload of all remaining files, and waits for all uploads. Call it after pg_dump has ended.
   * @throws the error of the first file that could not be stored
   */
  async uploadRemaining(): Promise<void> {
    for (const name of await readdir(this.folder)) this.upload(name);
    await Promise.all(this.uploads.values());
    this.aborter.signal.throwIfAborted();
  }

  private async uploadFile(name: string): Promise<void> {
    this.aborter.signal.throwIfAborted();
    const path = join(this.folder, name);
    const size = await sizeOf(path);
    if (size === undefined) {
      this.uploads.delete(name);
      return;
    }
    const source = createReadStream(path, { highWaterMark: READ_BYTES });
    await this.draft.write(name, source, { expectedBytes: size, signal: this.aborter.signal });
    await rm(path);
    await this.onUploaded();
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
