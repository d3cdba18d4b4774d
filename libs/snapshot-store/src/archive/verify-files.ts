import { createHash } from 'node:crypto';
import type { ArchiveAttempt } from '../storage/archive-attempt.js';
import type { StorageBackend } from '../storage/storage-backend.js';
import { forEachInOrder } from '../concurrency/map-in-order.js';
import { withDetails, SnapshotStoreError, type Damage } from '../store-error.js';
import type { StoredFile } from './archive-manifest.js';

/**
 * Reads the stored files of an archive and compares their lengths and checksums with the manifest. Decrypts
 * none of them.
 * @param onBytes called with the number of bytes that were read since the last call
 * @throws SnapshotStoreError `archive_damaged` with the name of a file that differs from the manifest
 */
export async function verifyFiles(
  backend: StorageBackend,
  attempt: ArchiveAttempt,
  files: readonly StoredFile[],
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  // The listing is cheap, so it is checked before gigabytes are read.
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
    stop.abort(); // stops reading the other files
  }
}

/**
 * The number of files to read concurrently. It is above 1, because reading small files from a bucket mostly
 * consists of waiting for responses.
 */
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
 * Compares the manifest with a listing of the stored files. Does not read the files.
 * @throws SnapshotStoreError `archive_damaged` with the first file that is missing or has another length
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
