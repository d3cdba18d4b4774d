import { open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  bodyName,
  isArchiveId,
  parseBodyName,
  parseFileNumber,
  type ArchivePlace,
  type Body,
  type WriteOptions,
} from '../place/archive-place.js';
import { SnapshotStoreError } from '../store-error.js';
import { ensureFolder, moveIntoPlace, syncFolder, writeDurably } from './durable-files.js';
import { folderFailure, inFolder, isAbsent } from './folder-failure.js';

/**
 * Archives in a folder of this machine, or of one it has mounted:
 * `manifests/<archive id>` and `files/<archive id>.<attempt>/<number>`.
 */
export class FolderPlace implements ArchivePlace {
  private readonly manifests: string;
  private readonly filesOfAll: string;

  /** @param root is there, and belongs to the agents alone. It is not made: an empty mount point would be filled silently */
  constructor(private readonly root: string) {
    this.manifests = join(root, 'manifests');
    this.filesOfAll = join(root, 'files');
  }

  async write(
    body: Body,
    number: number,
    content: AsyncIterable<Uint8Array>,
    { signal }: WriteOptions,
  ): Promise<void> {
    const folder = this.folderOf(body);
    await inFolder(async () => {
      await ensureFolder(this.filesOfAll);
      await ensureFolder(folder);
    });
    await writeDurably(join(folder, String(number)), content, signal).catch((error: unknown) => {
      throw folderFailure(error);
    });
  }

  async read(
    body: Body,
    number: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    signal.throwIfAborted();
    const file = await this.openThere(join(this.folderOf(body), String(number)));
    return file && translated(file.createReadStream({ highWaterMark: READ_BYTES, signal }));
  }

  async *files(body: Body, signal: AbortSignal): AsyncGenerator<{ number: number; bytes: number }> {
    const folder = this.folderOf(body);
    for (const name of await this.namesIn(folder)) {
      signal.throwIfAborted();
      const number = parseFileNumber(name);
      const found = number === undefined ? undefined : await this.statThere(join(folder, name));
      if (number !== undefined && found !== undefined) yield { number, bytes: found.size };
    }
  }

  async publish(body: Body, manifest: Uint8Array, signal: AbortSignal): Promise<void> {
    const folder = this.folderOf(body);
    const draft = join(folder, 'manifest');
    await inFolder(async () => {
      for (const needed of [this.manifests, this.filesOfAll, folder]) await ensureFolder(needed);
      await rm(draft, { force: true });
      await writeDurably(draft, [manifest], signal);
      for (const folderOf of [folder, this.filesOfAll, this.root]) await syncFolder(folderOf);
      signal.throwIfAborted();
      if (!(await moveIntoPlace(draft, join(this.manifests, body.archiveId))))
        throw new SnapshotStoreError('archive_exists', { archiveId: body.archiveId });
      await syncFolder(this.manifests);
    });
  }

  async manifest(archiveId: string, limit: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    signal.throwIfAborted();
    const file = await this.openThere(join(this.manifests, archiveId));
    if (file === undefined) return undefined;
    try {
      return await inFolder(async () => {
        if ((await file.stat()).size > limit)
          throw new SnapshotStoreError('archive_damaged', { archiveId, damage: 'manifest' });
        return file.readFile();
      });
    } finally {
      await file.close();
    }
  }

  async *published(after: string | undefined, signal: AbortSignal): AsyncGenerator<string> {
    for (const name of (await this.namesIn(this.manifests)).sort()) {
      signal.throwIfAborted();
      if (isArchiveId(name) && (after === undefined || name > after)) yield name;
    }
  }

  async withdraw(archiveId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await inFolder(async () => {
      try {
        await unlink(join(this.manifests, archiveId));
      } catch (error) {
        if (isAbsent(error)) return this.mustBeThere();
        throw error;
      }
      await syncFolder(this.manifests);
    });
  }

  async *bodies(archiveId: string | undefined, signal: AbortSignal): AsyncGenerator<Body> {
    for (const name of await this.namesIn(this.filesOfAll)) {
      signal.throwIfAborted();
      const body = parseBodyName(name);
      if (body !== undefined && (archiveId === undefined || body.archiveId === archiveId)) yield body;
    }
  }

  async lastChange(body: Body, signal: AbortSignal): Promise<Date | undefined> {
    const folder = this.folderOf(body);
    let latest = await this.statThere(folder);
    for (const name of latest === undefined ? [] : await this.namesIn(folder)) {
      signal.throwIfAborted();
      const found = await this.statThere(join(folder, name));
      if (found !== undefined && (latest === undefined || found.mtime > latest.mtime)) latest = found;
    }
    return latest?.mtime;
  }

  async discard(body: Body, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await inFolder(() => rm(this.folderOf(body), { recursive: true, force: true }));
  }

  private folderOf(body: Body): string {
    return join(this.filesOfAll, bodyName(body));
  }

  /** Nothing in a folder that has not been made yet, as long as the root is there. */
  private async namesIn(folder: string): Promise<string[]> {
    return inFolder(async () => {
      try {
        return await readdir(folder);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        await this.mustBeThere();
        return [];
      }
    });
  }

  private async openThere(path: string) {
    return inFolder(async () => {
      try {
        return await open(path, 'r');
      } catch (error) {
        if (!isAbsent(error)) throw error;
        await this.mustBeThere();
        return undefined;
      }
    });
  }

  private async statThere(path: string) {
    return inFolder(async () => {
      try {
        return await stat(path);
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    });
  }

  /** What is not there may be so because the whole store is not. */
  private async mustBeThere(): Promise<void> {
    await stat(this.root);
  }
}

const READ_BYTES = 2 ** 20;

async function* translated(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw folderFailure(error);
  }
}
