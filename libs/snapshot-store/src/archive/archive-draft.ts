import { setMaxListeners } from 'node:events';
import { addAbortSignal, type Readable } from 'node:stream';
import type { ConcurrencyLimit } from '../concurrency/concurrency-limit.js';
import type { ArchiveAttempt } from '../storage/archive-attempt.js';
import type { StorageBackend } from '../storage/storage-backend.js';
import { fileKey } from '../sealing/archive-keys.js';
import { sealedLength } from '../sealing/block-sealer.js';
import { SealedFile } from '../sealing/sealed-file.js';
import { withDetails } from '../store-error.js';
import type { ArchiveDescription, ArchiveManifest, StoredFile } from './archive-manifest.js';
import { checkFileName } from './archive-names.js';
import { attemptIdOf, MAX_MANIFEST_BYTES, sealManifest } from './manifest-envelope.js';
import { checkFilesStored } from './verify-files.js';

const MAX_FILES = 100_000;

export interface FileOptions {
  /**
   * Length of the file, if it is known. It determines the part size of an upload to a bucket. If the value is
   * absent or much too small, a file of more than 78 GiB cannot be stored in a bucket.
   */
  readonly expectedBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * An archive that is being written. {@link finish} publishes the archive; {@link abort} removes all its
 * files. If the process dies before one of them has returned, `sweepUnfinished` later removes the files of an
 * unpublished archive.
 */
export class ArchiveDraft {
  private readonly aborter = new AbortController();
  private readonly files = new Map<string, StoredFile>();
  private readonly names = new Set<string>();
  private readonly pending = new Set<Promise<unknown>>();
  private state: 'open' | 'finishing' | 'finished' | 'aborted' = 'open';
  private nextNumber = 0;
  private mayBePublished = false;

  /** @param onClosed called when the draft is finished or aborted */
  constructor(
    readonly attempt: ArchiveAttempt,
    private readonly backend: StorageBackend,
    private readonly key: Uint8Array,
    private readonly limit: ConcurrencyLimit,
    private readonly onClosed: () => void,
  ) {
    setMaxListeners(0, this.aborter.signal); // each waiting file adds a listener
  }

  /**
   * Seals and stores one file. Calls may run concurrently; each waits for a free slot. The source is read
   * only as fast as the file is stored. If the call fails, it destroys the source and removes what it has
   * stored of the file, and the name is free again.
   * @param name 1 to 255 bytes of UTF-8 without `/`, `\` and control characters; not `.` or `..`; not yet in
   * this archive
   * @throws SnapshotStoreError; RangeError if the name is taken or the draft is no longer open; the error of
   * the source
   */
  async write(name: string, source: Readable, options: FileOptions = {}): Promise<StoredFile> {
    checkFileName(name);
    this.checkOpen();
    if (this.names.has(name)) throw new RangeError('the archive already has a file of this name');
    if (this.names.size >= MAX_FILES) throw new RangeError(`an archive has at most ${MAX_FILES} files`);
    this.names.add(name);
    const signal = anyOf(this.aborter.signal, options.signal);
    source.on('error', () => undefined); // an error of a source that waits for its slot is thrown when the source is read
    try {
      const file = await this.trackPending(
        this.limit.run(signal, () => this.sealAndWrite(name, source, options.expectedBytes, signal)),
      );
      this.files.set(name, file);
      return file;
    } catch (error) {
      this.names.delete(name);
      source.destroy();
      signal.throwIfAborted();
      throw withDetails(error, { archiveId: this.attempt.archiveId, fileName: name });
    }
  }

  /**
   * Checks that every file is stored, and publishes the archive.
   * @throws SnapshotStoreError. Call {@link abort} then. If the store has published the archive but its
   * response was lost, {@link abort} removes the archive.
   */
  async finish(description: ArchiveDescription, signal?: AbortSignal): Promise<ArchiveManifest> {
    this.checkOpen();
    if (this.pending.size > 0)
      throw new RangeError('the archive cannot be finished while files are being written');
    this.state = 'finishing';
    return this.trackPending(this.publish(description, anyOf(this.aborter.signal, signal)));
  }

  /**
   * Stops all writes and removes the stored files. Does nothing to a finished archive.
   * @throws SnapshotStoreError if the store refuses the removal. Call this again, or let a later sweep remove
   * the files
   */
  async abort(): Promise<void> {
    this.aborter.abort();
    await Promise.allSettled(this.pending);
    if (this.state === 'finished') return;
    this.state = 'aborted';
    try {
      const { signal } = new AbortController();
      // The archive may have been published although the response was lost.
      if (this.mayBePublished && (await this.isPublished(signal)))
        await this.backend.unpublish(this.attempt.archiveId, signal);
      await this.backend.removeAttempt(this.attempt, signal);
    } finally {
      this.onClosed();
    }
  }

  private async publish(description: ArchiveDescription, signal: AbortSignal): Promise<ArchiveManifest> {
    const { archiveId, attemptId } = this.attempt;
    const files = [...this.files.values()].sort((a, b) => a.number - b.number);
    const manifest: ArchiveManifest = { ...description, id: archiveId, files };
    await checkFilesStored(this.backend, this.attempt, files, signal);
    this.mayBePublished = true;
    await this.backend.publish(this.attempt, sealManifest(manifest, attemptId, this.key), signal);
    this.state = 'finished';
    this.onClosed();
    return manifest;
  }

  /** Registers a running operation, so that {@link abort} waits until it ends. */
  private async trackPending<T>(work: Promise<T>): Promise<T> {
    this.pending.add(work);
    try {
      return await work;
    } finally {
      this.pending.delete(work);
    }
  }

  private checkOpen(): void {
    if (this.state !== 'open')
      throw new RangeError(`expected an open draft of the archive, but it is ${this.state}`);
  }

  private async sealAndWrite(
    name: string,
    source: Readable,
    expectedBytes: number | undefined,
    signal: AbortSignal,
  ): Promise<StoredFile> {
    const number = this.nextNumber++;
    const sealing = new SealedFile(addAbortSignal(signal, source), fileKey(this.key, this.attempt, name));
    const expected = expectedBytes === undefined ? undefined : sealedLength(expectedBytes);
    await this.backend.writeFile(this.attempt, number, sealing.content(), {
      expectedBytes: expected,
      signal,
    });
    return { name, number, ...sealing.written() };
  }

  private async isPublished(signal: AbortSignal): Promise<boolean> {
    const manifest = await this.backend.readManifest(this.attempt.archiveId, MAX_MANIFEST_BYTES, signal);
    return manifest !== undefined && attemptIdOf(manifest) === this.attempt.attemptId;
  }
}

function anyOf(own: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given === undefined ? own : AbortSignal.any([own, given]);
}
