import { open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  attemptName,
  isArchiveId,
  parseAttemptName,
  parseFileNumber,
  type ArchiveAttempt,
} from '../archive-attempt.js';
import type { StorageBackend, WriteOptions } from '../storage-backend.js';
import { SnapshotStoreError } from '../../store-error.js';
import { ensureFolder, renameIfAbsent, syncFolder, writeDurableFile } from './write-file.js';
import { folderError, withFolderErrors, isNotFound } from './errors.js';

/**
 * Stores archives in a local or mounted folder:
 * `manifests/<archive id>` and `files/<archive id>.<attempt id>/<number>`.
 */
export class FolderBackend implements StorageBackend {
  private readonly manifests: string;
  private readonly filesOfAll: string;

  /**
   * @param root an existing folder that only agents use. The store never creates it, so that archives are not
   * written to an empty mount point
   */
  constructor(private readonly root: string) {
    this.manifests = join(root, 'manifests');
    this.filesOfAll = join(root, 'files');
  }

  async writeFile(
    attempt: ArchiveAttempt,
    number: number,
    content: AsyncIterable<Uint8Array>,
    { signal }: WriteOptions,
  ): Promise<void> {
    const folder = this.attemptFolder(attempt);
    await withFolderErrors(async () => {
      await ensureFolder(this.filesOfAll);
      await ensureFolder(folder);
    });
    await writeDurableFile(join(folder, String(number)), content, signal).catch((error: unknown) => {
      throw folderError(error);
    });
  }

  async readFile(
    attempt: ArchiveAttempt,
    number: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    signal.throwIfAborted();
    const file = await this.openIfExists(join(this.attemptFolder(attempt), String(number)));
    return file && withStoreErrors(file.createReadStream({ highWaterMark: READ_BYTES, signal }));
  }

  async *listFiles(
    attempt: ArchiveAttempt,
    signal: AbortSignal,
  ): AsyncGenerator<{ number: number; bytes: number }> {
    const folder = this.attemptFolder(attempt);
    for (const name of await this.listNames(folder)) {
      signal.throwIfAborted();
      const number = parseFileNumber(name);
      const found = number === undefined ? undefined : await this.statIfExists(join(folder, name));
      if (number !== undefined && found !== undefined) yield { number, bytes: found.size };
    }
  }

  async publish(attempt: ArchiveAttempt, manifest: Uint8Array, signal: AbortSignal): Promise<void> {
    const folder = this.attemptFolder(attempt);
    const draft = join(folder, 'manifest');
    await withFolderErrors(async () => {
      for (const needed of [this.manifests, this.filesOfAll, folder]) await ensureFolder(needed);
      await rm(draft, { force: true });
      await writeDurableFile(draft, [manifest], signal);
      for (const folderOf of [folder, this.filesOfAll, this.root]) await syncFolder(folderOf);
      signal.throwIfAborted();
      if (!(await renameIfAbsent(draft, join(this.manifests, attempt.archiveId))))
        throw new SnapshotStoreError('archive_exists', { archiveId: attempt.archiveId });
      await syncFolder(this.manifests);
    });
  }

  async readManifest(archiveId: string, limit: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    signal.throwIfAborted();
    const file = await this.openIfExists(join(this.manifests, archiveId));
    if (file === undefined) return undefined;
    try {
      return await withFolderErrors(async () => {
        if ((await file.stat()).size > limit)
          throw new SnapshotStoreError('archive_damaged', { archiveId, damage: 'manifest' });
        return file.readFile();
      });
    } finally {
      await file.close();
    }
  }

  async *listArchiveIds(after: string | undefined, signal: AbortSignal): AsyncGenerator<string> {
    for (const name of (await this.listNames(this.manifests)).sort()) {
      signal.throwIfAborted();
      if (isArchiveId(name) && (after === undefined || name > after)) yield name;
    }
  }

  async unpublish(archiveId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await withFolderErrors(async () => {
      try {
        await unlink(join(this.manifests, archiveId));
      } catch (error) {
        if (isNotFound(error)) return this.checkRootExists();
        throw error;
      }
      await syncFolder(this.manifests);
    });
  }

  async *listAttempts(archiveId: string | undefined, signal: AbortSignal): AsyncGenerator<ArchiveAttempt> {
    for (const name of await this.listNames(this.filesOfAll)) {
      signal.throwIfAborted();
      const attempt = parseAttemptName(name);
      if (attempt !== undefined && (archiveId === undefined || attempt.archiveId === archiveId))
        yield attempt;
    }
  }

  async lastChange(attempt: ArchiveAttempt, signal: AbortSignal): Promise<Date | undefined> {
    const folder = this.attemptFolder(attempt);
    let latest = await this.statIfExists(folder);
    for (const name of latest === undefined ? [] : await this.listNames(folder)) {
      signal.throwIfAborted();
      const found = await this.statIfExists(join(folder, name));
      if (found !== undefined && (latest === undefined || found.mtime > latest.mtime)) latest = found;
    }
    return latest?.mtime;
  }

  async removeAttempt(attempt: ArchiveAttempt, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await withFolderErrors(() => rm(this.attemptFolder(attempt), { recursive: true, force: true }));
  }

  private attemptFolder(attempt: ArchiveAttempt): string {
    return join(this.filesOfAll, attemptName(attempt));
  }

  /**
   * @returns the names in a folder; none if the folder does not exist
   * @throws if the root does not exist either
   */
  private async listNames(folder: string): Promise<string[]> {
    return withFolderErrors(async () => {
      try {
        return await readdir(folder);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await this.checkRootExists();
        return [];
      }
    });
  }

  private async openIfExists(path: string) {
    return withFolderErrors(async () => {
      try {
        return await open(path, 'r');
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await this.checkRootExists();
        return undefined;
      }
    });
  }

  private async statIfExists(path: string) {
    return withFolderErrors(async () => {
      try {
        return await stat(path);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    });
  }

  /** Throws if the root does not exist. Called if a file is missing, as the whole store may be missing. */
  private async checkRootExists(): Promise<void> {
    await stat(this.root);
  }
}

const READ_BYTES = 2 ** 20;

async function* withStoreErrors(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw folderError(error);
  }
}
