import { createHash } from 'node:crypto';
import type { ArchiveAttempt } from '../storage/archive-attempt.js';
import type { StorageBackend } from '../storage/storage-backend.js';
import { forEachInOrder } from '../concurrency/map-in-order.js';
import { withDetails, SnapshotStoreError, type Damage } from '../store-error.js';
import type { StoredFile } from './archive-manifest.js';

/**
 * Compares every stored byte of an archive with what its manifest says; opens none.
 * @param onBytes called with how many more bytes were read
 * @throws SnapshotStoreError `archive_damaged` with the first file of the manifest that is not as it was stored
 */
export async function verifyFiles(
  backend: StorageBackend,
  attempt: ArchiveAttempt,
  files: readonly StoredFile[],
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  // The listing is cheap: check it before reading gigabytes.
  await checkFilesStored(backend, attempt, files, signal);
  const damaged = (file: StoredFile, damage: Damage) =>
    new SnapshotStoreError('archive_damaged', { archiveId: attempt.archiveId, fileName: file.name, damage });
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  try {
    await forEachInOrder(files, CONCURRENT_FILES, async (file) => {
      const sha256 = await digest(backend, attempt, file, either, onBytes);
      if (sha256 === undefined) throw damaged(file, 'file_missing');
      if (sha256 !== file.sha256) throw damaged(file, 'file_content');
    });
  } finally {
    stop.abort(); // the others need not be read to their ends
  }
}

/** Reading small files from a bucket is mostly waiting for responses. */
const CONCURRENT_FILES = 4;

async function digest(
  backend: StorageBackend,
  attempt: ArchiveAttempt,
  file: StoredFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<string | undefined> {
  try {
    const content = await backend.readFile(attempt, file.number, signal);
    if (content === undefined) return undefined;
    const hash = createHash('sha256');
    for await (const part of content) {
      hash.update(part);
      onBytes(part.length);
    }
    return hash.digest('hex');
  } catch (error) {
    signal.throwIfAborted();
    throw withDetails(error, { archiveId: attempt.archiveId, fileName: file.name });
  }
}

/**
 * Compares files with a listing of what is stored; reads none.
 * @throws SnapshotStoreError `archive_damaged` with the first that is not there, or not of its length
 */
export async function checkFilesStored(
  backend: StorageBackend,
  attempt: ArchiveAttempt,
  files: readonly StoredFile[],
  signal: AbortSignal,
): Promise<void> {
  const there = new Map<number, number>();
  for await (const { number, bytes } of backend.listFiles(attempt, signal)) there.set(number, bytes);
  for (const file of files) {
    const bytes = there.get(file.number);
    if (bytes === file.storedBytes) continue;
    const damage = bytes === undefined ? 'file_missing' : 'file_length';
    throw new SnapshotStoreError('archive_damaged', {
      archiveId: attempt.archiveId,
      fileName: file.name,
      damage,
    });
  }
}
