import { createHash } from 'node:crypto';
import type { ArchivePlace, Body } from '../place/archive-place.js';
import { forAll } from '../in-order.js';
import { concerning, SnapshotStoreError, type Damage } from '../store-error.js';
import type { StoredFile } from './archive-manifest.js';
import { mustBeThere } from './must-be-there.js';

/**
 * Compares every stored byte of an archive with what its manifest says; opens none.
 * @param onBytes called with how many more bytes were read
 * @throws SnapshotStoreError `archive_damaged` with the first file of the manifest that is not as it was stored
 */
export async function verifyFiles(
  place: ArchivePlace,
  body: Body,
  files: readonly StoredFile[],
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  // What a listing shows is shown before gigabytes are read.
  await mustBeThere(place, body, files, signal);
  const damaged = (file: StoredFile, damage: Damage) =>
    new SnapshotStoreError('archive_damaged', { archiveId: body.archiveId, fileName: file.name, damage });
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  try {
    await forAll(files, FILES_AT_ONCE, async (file) => {
      const sha256 = await digest(place, body, file, either, onBytes);
      if (sha256 === undefined) throw damaged(file, 'file_missing');
      if (sha256 !== file.sha256) throw damaged(file, 'file_content');
    });
  } finally {
    stop.abort(); // the others need not be read to their ends
  }
}

/** Small files in a bucket are a matter of waiting for answers. */
const FILES_AT_ONCE = 4;

async function digest(
  place: ArchivePlace,
  body: Body,
  file: StoredFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<string | undefined> {
  try {
    const content = await place.read(body, file.number, signal);
    if (content === undefined) return undefined;
    const hash = createHash('sha256');
    for await (const part of content) {
      hash.update(part);
      onBytes(part.length);
    }
    return hash.digest('hex');
  } catch (error) {
    signal.throwIfAborted();
    throw concerning(error, { archiveId: body.archiveId, fileName: file.name });
  }
}
