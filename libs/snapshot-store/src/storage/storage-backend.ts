import type { ArchiveAttempt } from './archive-attempt.js';

export interface WriteOptions {
  /** Expected length, if known. A bucket chooses the size of its parts from this length. */
  readonly expectedBytes: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Stores bytes under ids and numbers that `SnapshotStore` has checked. A backend has no access to keys and
 * cannot read the content. An operation that fails throws a SnapshotStoreError, or the signal's reason.
 */
export interface StorageBackend {
  /**
   * Writes one file of an attempt. The file is durable when {@link publish} has returned. Reads `content`
   * only as fast as it writes. Leaves nothing behind if it fails.
   */
  writeFile(
    attempt: ArchiveAttempt,
    number: number,
    content: AsyncIterable<Uint8Array>,
    options: WriteOptions,
  ): Promise<void>;
  /**
   * Reads one file of an attempt. The content is read only as fast as it is consumed. If the consumer stops
   * early, the file is closed.
   * @returns undefined if the file does not exist
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
   * Publishes the attempt as the archive, or changes nothing. When this has returned, the manifest and the
   * files survive a loss of power.
   * @throws SnapshotStoreError `archive_exists` if the id already has a manifest
   */
  publish(attempt: ArchiveAttempt, manifest: Uint8Array, signal: AbortSignal): Promise<void>;
  /**
   * @returns undefined if the archive has no manifest
   * @throws SnapshotStoreError `archive_damaged` if the manifest is larger than `limit` bytes
   */
  readManifest(archiveId: string, limit: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Lists the ids that have a manifest, sorted. @param after the last id to skip */
  listArchiveIds(after: string | undefined, signal: AbortSignal): AsyncIterable<string>;
  /** Removes a manifest durably. Does nothing if it does not exist. */
  unpublish(archiveId: string, signal: AbortSignal): Promise<void>;
  /**
   * Lists attempts that have any file, including unfinished files.
   * @param archiveId limits the list to one archive
   */
  listAttempts(archiveId: string | undefined, signal: AbortSignal): AsyncIterable<ArchiveAttempt>;
  /** @returns the time of the last change of the attempt */
  lastChange(attempt: ArchiveAttempt, signal: AbortSignal): Promise<Date | undefined>;
  /** Removes all files of an attempt. Does nothing if it has none. */
  removeAttempt(attempt: ArchiveAttempt, signal: AbortSignal): Promise<void>;
}
