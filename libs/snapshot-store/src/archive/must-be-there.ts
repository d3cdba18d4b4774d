import type { ArchivePlace, Body } from '../place/archive-place.js';
import { SnapshotStoreError } from '../store-error.js';
import type { StoredFile } from './archive-manifest.js';

/**
 * Compares files with a listing of what is stored; reads none.
 * @throws SnapshotStoreError `archive_damaged` with the first that is not there, or not of its length
 */
export async function mustBeThere(
  place: ArchivePlace,
  body: Body,
  files: readonly StoredFile[],
  signal: AbortSignal,
): Promise<void> {
  const there = new Map<number, number>();
  for await (const { number, bytes } of place.files(body, signal)) there.set(number, bytes);
  for (const file of files) {
    const bytes = there.get(file.number);
    if (bytes === file.storedBytes) continue;
    const damage = bytes === undefined ? 'file_missing' : 'file_length';
    throw new SnapshotStoreError('archive_damaged', {
      archiveId: body.archiveId,
      fileName: file.name,
      damage,
    });
  }
}
