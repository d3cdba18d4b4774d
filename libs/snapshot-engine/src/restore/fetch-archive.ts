import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runInParallel } from '@understudy/postgres';
import { SnapshotStoreError, type ArchiveReader } from '@understudy/snapshot-store';

/**
 * Copies an archive's files into a folder and authenticates every byte before it is written. When this function
 * resolves, the whole archive is verified. Before that, the caller must not load any file.
 * @param onBytes called with the number of decrypted bytes of each part, as counted in `StoredFile.bytes`
 * @throws SnapshotStoreError `archive_damaged`, or another failure of the store
 */
export async function fetchArchive(
  archive: ArchiveReader,
  folder: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { id, files } = archive.manifest;
  if (!files.some(({ name }) => name === 'toc.dat'))
    throw new SnapshotStoreError('archive_damaged', { archiveId: id, damage: 'file_missing' });
  await mkdir(folder, { mode: 0o700 });
  const waiting = files.values();
  const take = async (either: AbortSignal) => {
    // All workers share this iterator, so each takes the next file.
    for (const { name } of waiting) {
      const source = archive.read(name, { signal: either });
      source.on('data', (part: Buffer) => onBytes(part.length));
      await pipeline(source, createWriteStream(join(folder, name), { mode: 0o600 }), { signal: either });
    }
  };
  await runInParallel(
    signal,
    Array.from({ length: CONCURRENT_FILES }, () => take),
  );
}

const CONCURRENT_FILES = 2;
