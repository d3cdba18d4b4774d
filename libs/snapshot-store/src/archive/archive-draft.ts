import { setMaxListeners } from 'node:events';
import { addAbortSignal, type Readable } from 'node:stream';
import type { ConcurrencyLimit } from '../concurrency-limit.js';
import type { ArchivePlace, Body } from '../place/archive-place.js';
import { fileKey } from '../sealing/archive-keys.js';
import { sealedLength } from '../sealing/block-size.js';
import { SealedFile } from '../sealing/sealed-file.js';
import { concerning, SnapshotStoreError } from '../store-error.js';
import type { ArchiveDescription, ArchiveManifest, StoredFile } from './archive-manifest.js';
import { checkFileName } from './archive-names.js';
import { attemptOf, LARGEST_MANIFEST_BYTES, sealManifest } from './manifest-envelope.js';

const MOST_FILES = 100_000;

export interface FileOptions {
  /** How long the file is, when it is known. Wrong values cost speed, nothing else. */
  readonly expectedBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * An archive that is being made. It does not exist until {@link finish} has returned; {@link abort} leaves nothing of it. A program that
 * ends in between leaves files that `sweepUnfinished` removes.
 */
export class ArchiveDraft {
  private readonly given = new AbortController();
  private readonly files = new Map<string, StoredFile>();
  private readonly names = new Set<string>();
  private readonly writing = new Set<Promise<unknown>>();
  private state: 'open' | 'finishing' | 'finished' | 'aborted' = 'open';
  private nextNumber = 0;

  /** @param settled called once, when the draft has become an archive or has been cleared away */
  constructor(
    readonly body: Body,
    private readonly place: ArchivePlace,
    private readonly key: Uint8Array,
    private readonly limit: ConcurrencyLimit,
    private readonly settled: () => void,
  ) {
    setMaxListeners(0, this.given.signal); // every file that waits listens to it
  }

  /**
   * Seals and stores one file. Many may be written at once; they wait for the store's turns. The source is read only as fast as it is
   * stored, and destroyed if that fails; then the name is free again and nothing of the file is left.
   * @param name 1 to 255 bytes of UTF-8 without `/`, `\` and control characters; not `.` or `..`; not yet in this archive
   * @throws SnapshotStoreError; RangeError if the name is taken or the draft is no longer open; what the source throws
   */
  async write(name: string, source: Readable, options: FileOptions = {}): Promise<StoredFile> {
    checkFileName(name);
    this.mustBeOpen();
    if (this.names.has(name)) throw new RangeError('the archive has a file of this name');
    if (this.names.size >= MOST_FILES) throw new RangeError(`an archive has at most ${MOST_FILES} files`);
    this.names.add(name);
    const signal = anyOf(this.given.signal, options.signal);
    source.on('error', () => undefined); // one that fails before it is its turn is told of by its reader
    const writing = this.limit.run(signal, () => this.store(name, source, options.expectedBytes, signal));
    this.writing.add(writing);
    try {
      const file = await writing;
      this.files.set(name, file);
      return file;
    } catch (error) {
      this.names.delete(name);
      source.destroy();
      throw concerning(error, { archiveId: this.body.archiveId, fileName: name });
    } finally {
      this.writing.delete(writing);
    }
  }

  /**
   * Makes it an archive, after a look at whether every file is there.
   * @throws SnapshotStoreError: then there is no archive, and the draft can only be aborted
   */
  async finish(description: ArchiveDescription, signal?: AbortSignal): Promise<ArchiveManifest> {
    this.mustBeOpen();
    if (this.writing.size > 0) throw new RangeError('files are still being written');
    this.state = 'finishing';
    const either = anyOf(this.given.signal, signal);
    const files = [...this.files.values()].sort((a, b) => a.number - b.number);
    const manifest: ArchiveManifest = { ...description, id: this.body.archiveId, files };
    await this.mustBeThere(files, either);
    await this.place.publish(this.body, sealManifest(manifest, this.body.attempt, this.key), either);
    this.state = 'finished';
    this.settled();
    return manifest;
  }

  /** Stops what is being written and removes what was. Does nothing to a finished archive. May be called again when it failed. */
  async abort(): Promise<void> {
    if (this.state === 'finished') return;
    const mayBePublished = this.state === 'finishing';
    this.state = 'aborted';
    this.given.abort();
    await Promise.allSettled(this.writing);
    const signal = new AbortController().signal;
    // An answer that was lost may have been a yes.
    if (mayBePublished && (await this.isPublished(signal)))
      await this.place.withdraw(this.body.archiveId, signal);
    await this.place.discard(this.body, signal);
    this.settled();
  }

  private mustBeOpen(): void {
    if (this.state !== 'open') throw new RangeError(`the draft of the archive is ${this.state}`);
  }

  private async store(
    name: string,
    source: Readable,
    expectedBytes: number | undefined,
    signal: AbortSignal,
  ): Promise<StoredFile> {
    const number = this.nextNumber++;
    const sealing = new SealedFile(addAbortSignal(signal, source), fileKey(this.key, this.body, name));
    const expected = expectedBytes === undefined ? undefined : sealedLength(expectedBytes);
    await this.place.write(this.body, number, sealing.content(), { expectedBytes: expected, signal });
    return { name, number, ...sealing.written() };
  }

  private async mustBeThere(files: readonly StoredFile[], signal: AbortSignal): Promise<void> {
    const there = new Map<number, number>();
    for await (const { number, bytes } of this.place.files(this.body, signal)) there.set(number, bytes);
    for (const file of files) {
      const bytes = there.get(file.number);
      if (bytes === file.storedBytes) continue;
      const damage = bytes === undefined ? 'file_missing' : 'file_length';
      const { archiveId } = this.body;
      throw new SnapshotStoreError('archive_damaged', { archiveId, fileName: file.name, damage });
    }
  }

  private async isPublished(signal: AbortSignal): Promise<boolean> {
    const manifest = await this.place.manifest(this.body.archiveId, LARGEST_MANIFEST_BYTES, signal);
    return manifest !== undefined && attemptOf(manifest) === this.body.attempt;
  }
}

function anyOf(own: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given === undefined ? own : AbortSignal.any([own, given]);
}
