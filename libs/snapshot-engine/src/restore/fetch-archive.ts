import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SnapshotStoreError, type ArchiveReader } from '@understudy/snapshot-store';

/**
 * Brings an archive's files into a folder. Every byte is authenticated against the manifest before it is written, so that when this resolves
 * the whole archive has been compared with its checksums; nothing is loaded before.
 * @param onBytes told how many more have come, of those that `StoredFile.bytes` counts
 * @throws SnapshotStoreError archive_damaged, and as the store does
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
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const take = async () => {
    // One iterator for all of them: each takes the next file.
    for (const { name } of waiting) {
      const source = archive.read(name, { signal: either });
      source.on('data', (part: Buffer) => onBytes(part.length));
      await pipeline(source, createWriteStream(join(folder, name), { mode: 0o600 }), { signal: either });
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT_FILES }, take));
  } catch (error) {
    stop.abort();
    throw error;
  }
}

const CONCURRENT_FILES = 2;
