import { holdSnapshot } from './snapshot-keeper.js';
import { joinSnapshot } from './join-snapshot.js';
import { takePresent } from './present-snapshot.js';
import type { Snapshot, SnapshotRequest } from './snapshot.js';
import { SyncJobError } from '@understudy/sync-job';

/**
 * Imports the snapshot of an earlier attempt if it is still held, and otherwise takes a new one. The keeper
 * of a new snapshot may still be starting; `confirm` waits for it.
 */
export async function takeSnapshot({ earlierId, ...request }: SnapshotRequest): Promise<Snapshot> {
  if (earlierId === undefined) return takePresent(request);
  const { source, keeper, ...rest } = request;
  const held = await holdSnapshot({
    ...{ ...rest, source: source.target, importId: earlierId, isWitnessed: true },
    ...(keeper === undefined ? {} : { keeper }),
  }).catch(ignoreLost);
  // A keeper accepts only one order, so the new snapshot needs another keeper.
  if (held === undefined) return takePresent({ ...rest, source });
  try {
    // The earlier transaction holds locks on the tables until its snapshot ends. If this session can still join the
    // snapshot after the keeper has locked the tables, they were never unlocked.
    await joinSnapshot(source.client.plain, earlierId);
  } catch (error) {
    await held.release();
    ignoreLost(error);
    await source.client.query('ROLLBACK');
    return takePresent({ ...rest, source });
  }
  return { client: source.client, id: held.snapshotId, joined: earlierId, held };
}

function ignoreLost(error: unknown): undefined {
  if (error instanceof SyncJobError && error.failure.code === 'snapshot_lost') return undefined;
  throw error;
}
