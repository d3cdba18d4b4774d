import { randomBytes } from 'node:crypto';
import { ArchiveDraft } from './archive/archive-draft.js';
import { storedBytesOf, type ArchiveManifest } from './archive/archive-manifest.js';
import { checkArchiveId } from './archive/archive-names.js';
import { MAX_MANIFEST_BYTES, openManifest, type OpenedManifest } from './archive/manifest-envelope.js';
import { ArchiveReader } from './archive/archive-reader.js';
import { sweepUnfinished, type SweepOptions } from './archive/sweep-unfinished.js';
import { verifyFiles } from './archive/verify-files.js';
import { ConcurrencyLimit } from './concurrency/concurrency-limit.js';
import { mapInOrder } from './concurrency/map-in-order.js';
import { attemptName } from './storage/archive-attempt.js';
import type { StorageBackend } from './storage/storage-backend.js';
import { ATTEMPT_BYTES, StoreKeys } from './sealing/archive-keys.js';
import { SnapshotStoreError } from './store-error.js';

export interface SnapshotStoreOptions {
  /**
   * 32 random bytes, which must be kept outside of the store. Anyone who has the key can read and forge
   * archives. If the key is lost, nobody can read the archives any more.
   */
  readonly key: Uint8Array;
  /** Keys that sealed earlier archives. The store opens archives with them, but seals none. */
  readonly olderKeys?: readonly Uint8Array[];
  /** Maximum number of files that all drafts together write concurrently. Default 4. */
  readonly concurrency?: number;
}

export interface Cancellable {
  readonly signal?: AbortSignal;
}

export interface VerifyProgress {
  readonly bytes: number;
  readonly totalBytes: number;
}

/**
 * An archive in the store. If this agent cannot read the archive, this object contains the reason instead of
 * the manifest.
 */
export type ListedArchive =
  | { readonly id: string; readonly manifest: ArchiveManifest; readonly storedBytes: number }
  | { readonly id: string; readonly problem: 'archive_damaged' | 'archive_key_mismatch' };

/**
 * Stores archives of files in a storage backend that need not be trusted with their content: files are sealed
 * with the agent's key, and changes are detected. Someone who can write to the backend can remove archives or
 * put back an older one with the same id, but cannot read or forge one. Several processes may use a backend
 * concurrently. An operation that fails throws a {@link SnapshotStoreError}, or the reason of its signal if
 * the signal was aborted.
 */
export class SnapshotStore {
  private readonly keys: StoreKeys;
  private readonly limit: ConcurrencyLimit;
  private readonly removals = new ConcurrencyLimit(CONCURRENT_REMOVALS);
  private readonly drafts = new Map<string, ArchiveDraft>();

  /** @throws RangeError if a key does not have 32 bytes */
  constructor(
    private readonly backend: StorageBackend,
    options: SnapshotStoreOptions,
  ) {
    this.keys = new StoreKeys(options.key, options.olderKeys);
    this.limit = new ConcurrencyLimit(options.concurrency ?? DEFAULT_CONCURRENCY);
  }

  /**
   * Begins an archive. Files that an earlier attempt with the same id left behind do no harm.
   * @param id 1 to 64 letters, digits, `-` and `_`, beginning with a letter or digit
   * @throws `archive_exists` if an archive of this id exists or this process is writing it; `name_invalid`
   */
  async begin(id: string, { signal = never() }: Cancellable = {}): Promise<ArchiveDraft> {
    checkArchiveId(id);
    if (this.draftsOf(id).length > 0) throw new SnapshotStoreError('archive_exists', { archiveId: id });
    const attempt = { archiveId: id, attemptId: randomBytes(ATTEMPT_BYTES).toString('hex') };
    const forget = (): boolean => this.drafts.delete(attemptName(attempt));
    const draft = new ArchiveDraft(attempt, this.backend, this.keys.current, this.limit, forget);
    this.drafts.set(attemptName(attempt), draft);
    try {
      if ((await this.backend.readManifest(id, MAX_MANIFEST_BYTES, signal)) !== undefined)
        throw new SnapshotStoreError('archive_exists', { archiveId: id });
    } catch (error) {
      forget();
      throw error;
    }
    return draft;
  }

  /**
   * Lists archives sorted by id. Manifests are read a few at a time as the caller iterates, so memory does not
   * grow with the number of archives.
   * @param options.after the last id to skip
   */
  async *list(options: Cancellable & { readonly after?: string } = {}): AsyncGenerator<ListedArchive> {
    const signal = options.signal ?? never();
    const found = mapInOrder(this.backend.listArchiveIds(options.after, signal), CONCURRENT_MANIFESTS, (id) =>
      this.listed(id, signal),
    );
    for await (const archive of found) if (archive !== undefined) yield archive;
  }

  /**
   * Opens an archive for reading.
   * @throws `archive_not_found`, `archive_damaged`, `archive_key_mismatch`, `name_invalid`
   */
  async open(id: string, { signal = never() }: Cancellable = {}): Promise<ArchiveReader> {
    return new ArchiveReader(await this.find(id, signal), this.backend);
  }

  /**
   * Reads every stored byte of an archive and compares it with the manifest, without decrypting the files.
   * Call it before a restore begins.
   * @param options.onProgress called with the number of stored bytes that were read so far, and the total
   * number of stored bytes
   * @throws `archive_damaged` with the name of a file that differs from the manifest; also the errors of
   * {@link open}
   */
  async verify(
    id: string,
    options: Cancellable & { readonly onProgress?: (progress: VerifyProgress) => void } = {},
  ): Promise<ArchiveManifest> {
    const signal = options.signal ?? never();
    const { manifest, attemptId } = await this.find(id, signal);
    const totalBytes = storedBytesOf(manifest);
    let bytes = 0;
    await verifyFiles(this.backend, { archiveId: id, attemptId }, manifest.files, signal, (more) => {
      bytes += more;
      options.onProgress?.({ bytes, totalBytes });
    });
    return manifest;
  }

  /** @returns the size of the archive's files in the store @throws the errors of {@link open} */
  async sizeOf(id: string, { signal = never() }: Cancellable = {}): Promise<number> {
    return storedBytesOf((await this.find(id, signal)).manifest);
  }

  /**
   * Removes an archive, even if it is damaged. Needs no key. Removes the manifest first: if the removal is
   * then interrupted, the archive no longer exists, and a sweep removes its files. Also aborts this process's
   * draft with this id. Succeeds even if the archive does not exist.
   */
  async remove(id: string, { signal = never() }: Cancellable = {}): Promise<void> {
    checkArchiveId(id);
    for (const draft of this.draftsOf(id)) await draft.abort();
    await this.removals.run(signal, async () => {
      await this.backend.unpublish(id, signal);
      for await (const attempt of this.backend.listAttempts(id, signal))
        await this.backend.removeAttempt(attempt, signal);
    });
  }

  /**
   * Lists the archive ids that begin with the prefix, in no particular order. Includes the ids of unfinished
   * and partly removed archives.
   */
  async *ids(prefix: string, { signal = never() }: Cancellable = {}): AsyncGenerator<string> {
    const found = new Set<string>();
    for await (const id of this.backend.listArchiveIds(undefined, signal))
      if (id.startsWith(prefix)) found.add(id);
    for await (const { archiveId } of this.backend.listAttempts(undefined, signal))
      if (archiveId.startsWith(prefix)) found.add(archiveId);
    yield* found;
  }

  /**
   * Removes the files of archives that were never finished, or whose removal was interrupted. Drafts of this
   * process are kept.
   * @returns the number of removed attempts
   */
  async sweepUnfinished(options: SweepOptions): Promise<number> {
    return sweepUnfinished(this.backend, (attempt) => this.drafts.has(attemptName(attempt)), options);
  }

  private draftsOf(id: string): ArchiveDraft[] {
    return [...this.drafts.values()].filter(({ attempt }) => attempt.archiveId === id);
  }

  private async find(id: string, signal: AbortSignal): Promise<OpenedManifest> {
    checkArchiveId(id);
    const bytes = await this.backend.readManifest(id, MAX_MANIFEST_BYTES, signal);
    if (bytes === undefined) throw new SnapshotStoreError('archive_not_found', { archiveId: id });
    return openManifest(bytes, id, this.keys);
  }

  private async listed(id: string, signal: AbortSignal): Promise<ListedArchive | undefined> {
    try {
      const { manifest } = await this.find(id, signal);
      return { id, manifest, storedBytes: storedBytesOf(manifest) };
    } catch (error) {
      if (!(error instanceof SnapshotStoreError)) throw error;
      if (error.code === 'archive_not_found') return undefined; // another process removed it after its id was listed
      if (error.code === 'archive_damaged' || error.code === 'archive_key_mismatch')
        return { id, problem: error.code };
      throw error;
    }
  }
}

const DEFAULT_CONCURRENCY = 4;
const CONCURRENT_MANIFESTS = 4;
const CONCURRENT_REMOVALS = 4;

function never(): AbortSignal {
  return new AbortController().signal;
}
