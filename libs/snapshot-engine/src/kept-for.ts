import { SnapshotStoreError, type ArchiveManifest } from '@understudy/snapshot-store';
import { readAttributes } from './archive-attributes.js';
import { SnapshotError } from './snapshot-failure.js';
import type { SnapshotEnvironment } from './snapshot-environment.js';

/**
 * For how long the policy still keeps an archive from being deleted. Its age is counted from when its agent took it: the control plane's
 * times are not believed. An archive that this agent cannot read, for lack of a key or of a newer version, counts as new; what was never finished or is damaged holds
 * nothing that could be restored, and may go.
 * @returns milliseconds; 0: it may be deleted
 * @throws SnapshotStoreError when the store does not answer
 */
export async function keptForMs(
  archiveId: string,
  { policy: { minSnapshotAgeMs }, store, now }: SnapshotEnvironment,
): Promise<number> {
  if (minSnapshotAgeMs === 0) return 0;
  try {
    const { manifest } = await store.open(archiveId);
    const ageMs = Math.max(0, now() - takenAtMs(manifest));
    return Math.max(0, minSnapshotAgeMs - ageMs);
  } catch (error) {
    if (error instanceof SnapshotError) return minSnapshotAgeMs; // a newer agent's format
    if (!(error instanceof SnapshotStoreError)) throw error;
    if (error.code === 'archive_key_mismatch') return minSnapshotAgeMs;
    if (error.code === 'archive_not_found' || error.code === 'archive_damaged') return 0;
    throw error;
  }
}

function takenAtMs(manifest: ArchiveManifest): number {
  return readAttributes(manifest).takenAtMs ?? manifest.createdAt.getTime();
}
