import { SnapshotStoreError, type ArchiveManifest } from '@understudy/snapshot-store';
import { readAttributes } from './archive-attributes.js';
import { SnapshotError } from '../job/snapshot-failure.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';

/**
 * Computes how long the policy still protects an archive from deletion. An archive's age begins when the agent took
 * the snapshot, by the agent's clock. An archive that this agent cannot read, because a key is missing or its
 * format is newer, is treated as new. An unfinished or damaged archive cannot be restored and may be deleted.
 * @returns the remaining milliseconds; 0 if the archive may be deleted now
 * @throws SnapshotStoreError if the store does not respond
 */
export async function remainingRetentionMs(
  archiveId: string,
  { policy: { minSnapshotAgeMs }, store, now }: SnapshotEnvironment,
): Promise<number> {
  if (minSnapshotAgeMs === 0) return 0;
  try {
    const { manifest } = await store.open(archiveId);
    const ageMs = Math.max(0, now() - takenAtMs(manifest));
    return Math.max(0, minSnapshotAgeMs - ageMs);
  } catch (error) {
    if (error instanceof SnapshotError) return minSnapshotAgeMs; // a newer agent wrote the archive
    if (!(error instanceof SnapshotStoreError)) throw error;
    if (error.code === 'archive_key_mismatch') return minSnapshotAgeMs;
    if (error.code === 'archive_not_found' || error.code === 'archive_damaged') return 0;
    throw error;
  }
}

function takenAtMs(manifest: ArchiveManifest): number {
  return readAttributes(manifest).takenAtMs ?? manifest.createdAt.getTime();
}
