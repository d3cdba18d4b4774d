import { Readable } from 'node:stream';
import type { StorageBackend } from '../storage/storage-backend.js';
import { fileKey } from '../sealing/archive-keys.js';
import { BlockOpener, UnsealableError } from '../sealing/block-opener.js';
import { withDetails, SnapshotStoreError } from '../store-error.js';
import type { ArchiveManifest, StoredFile } from './archive-manifest.js';
import type { OpenedManifest } from './manifest-envelope.js';

/** Reads the files of an archive. Keeps a stored file open only while its content is being read. */
export class ArchiveReader {
  readonly manifest: ArchiveManifest;
  private readonly files: ReadonlyMap<string, StoredFile>;

  constructor(
    private readonly opened: OpenedManifest,
    private readonly backend: StorageBackend,
  ) {
    this.manifest = opened.manifest;
    this.files = new Map(this.manifest.files.map((file) => [file.name, file]));
  }

  /**
   * Reads the plain content of a file. Every byte of the stream has been authenticated. The stream ends only
   * after the whole file was read; it fails with `archive_damaged` at the first block that was changed.
   * @throws RangeError if the manifest has no such file
   */
  read(name: string, options: { readonly signal?: AbortSignal } = {}): Readable {
    const file = this.files.get(name);
    if (file === undefined) throw new RangeError('the archive has no file of this name');
    const signal = options.signal ?? new AbortController().signal;
    return Readable.from(this.content(file, signal), { objectMode: false, signal });
  }

  private async *content(file: StoredFile, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { manifest, attemptId, key } = this.opened;
    const scope = { archiveId: manifest.id, attemptId };
    const damaged = (damage: 'file_missing' | 'file_length' | 'file_content') =>
      new SnapshotStoreError('archive_damaged', { archiveId: manifest.id, fileName: file.name, damage });
    try {
      const sealed = await this.backend.readFile(scope, file.number, signal);
      if (sealed === undefined) throw damaged('file_missing');
      const opener = new BlockOpener(fileKey(key, scope, file.name));
      let storedBytes = 0;
      for await (const part of sealed) {
        storedBytes += part.length;
        if (storedBytes > file.storedBytes) throw damaged('file_length');
        const plain = opener.update(part);
        if (plain.length > 0) yield plain;
      }
      if (storedBytes < file.storedBytes) throw damaged('file_length');
      const last = opener.final();
      if (last.length > 0) yield last;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnsealableError) throw damaged('file_content');
      throw withDetails(error, { archiveId: manifest.id, fileName: file.name });
    }
  }
}
