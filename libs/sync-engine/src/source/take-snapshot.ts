import { holdSnapshot } from './snapshot-keeper.js';
import { joinSnapshot } from './join-snapshot.js';
import { takePresent } from './present-snapshot.js';
import type { Snapshot, SnapshotRequest } from './snapshot.js';
import { SyncJobError } from '@understudy/sync-job';

/** Sees what an earlier attempt saw, if somebody still holds it, and the present otherwise. Its keeper may still be starting: `confirm` waits. */
export async function takeSnapshot({ earlierId, ...request }: SnapshotRequest): Promise<Snapshot> {
  if (earlierId === undefined) return takePresent(request);
  const { source, keeper, ...rest } = request;
  const held = await holdSnapshot({
    ...{ ...rest, source: source.target, importId: earlierId },
    ...(keeper === undefined ? {} : { keeper }),
  }).catch(ignoreLost);
  // A keeper takes one order in its life.
  if (held === undefined) return takePresent({ ...rest, source });
  try {
    await joinSnapshot(source.client, held.snapshotId);
  } catch (error) {
    await held.release();
    throw error;
  }
  return { client: source.client, id: held.snapshotId, joined: earlierId, held };
}

function ignoreLost(error: unknown): undefined {
  if (error instanceof SyncJobError && error.failure.code === 'snapshot_lost') return undefined;
  throw error;
}
