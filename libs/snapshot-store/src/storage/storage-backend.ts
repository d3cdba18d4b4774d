import type { ArchiveAttempt } from './archive-attempt.js';

export interface WriteOptions {
  /** Expected length, if known. A bucket chooses the size of parts by it. */
  readonly expectedBytes: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Stores bytes under ids and numbers that the store has checked. It knows nothing of keys and content.
 * Every operation fails with a SnapshotStoreError or the signal's reason.
 */
export interface StorageBackend {
  /**
   * Writes one file of an attempt; it is durable when {@link publish} has returned. Reads `content` only as fast as
   * it writes. Leaves nothing behind if it fails.
   */
  writeFile(
    attempt: ArchiveAttempt,
    number: number,
    content: AsyncIterable<Uint8Array>,
    options: WriteOptions,
  ): Promise<void>;
  /**
   * @returns undefined if there is no such file; else its content, read as it is consumed and released if the
   *   consumer returns early
   */
  readFile(
    attempt: ArchiveAttempt,
    number: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Lists the completely written files of an attempt, in any order. */
  listFiles(
    attempt: ArchiveAttempt,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly number: number; readonly bytes: number }>;
  /**
   * Makes the attempt an archive, or changes nothing. When it returns, manifest and files survive a loss of power.
   * @throws SnapshotStoreError `archive_exists` if there is a manifest with that id
   */
  publish(attempt: ArchiveAttempt, manifest: Uint8Array, signal: AbortSignal): Promise<void>;
  /**
   * @returns undefined if there is no manifest
   * @throws SnapshotStoreError `archive_damaged` if it is larger than `limit` bytes
   */
  readManifest(archiveId: string, limit: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Lists the ids that have a manifest, sorted; only those after `after`. */
  listArchiveIds(after: string | undefined, signal: AbortSignal): AsyncIterable<string>;
  /** Removes a manifest durably. Does nothing if there is none. */
  unpublish(archiveId: string, signal: AbortSignal): Promise<void>;
  /** Lists attempts with any file, also an unfinished one; of one archive, or of all if the id is undefined. */
  listAttempts(archiveId: string | undefined, signal: AbortSignal): AsyncIterable<ArchiveAttempt>;
  /** @returns when the attempt was last written to */
  lastChange(attempt: ArchiveAttempt, signal: AbortSignal): Promise<Date | undefined>;
  /** Removes all files of an attempt. Does nothing if there are none. */
  removeAttempt(attempt: ArchiveAttempt, signal: AbortSignal): Promise<void>;
}
