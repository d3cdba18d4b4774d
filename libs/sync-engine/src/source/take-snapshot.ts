import { holdSnapshot } from './snapshot-keeper.js';
import { joinSnapshot } from './join-snapshot.js';
import { takePresent } from './present-snapshot.js';
import type { Snapshot, SnapshotRequest } from './snapshot.js';
import { SyncJobError } from '@understudy/sync-job';

/**
 * Imports the snapshot of an earlier attempt if it is still held, and otherwise takes a new one. The keeper
 * of a new snapshot may still be starting, unless it has taken the snapshot; `confirm` waits for it.
 */
export async function takeSnapshot({
  earlierId,
  isLockedOnce = false,
  ...request
}: SnapshotRequest): Promise<Snapshot> {
  const takeNew = isLockedOnce ? takeFromKeeper : takePresent;
  if (earlierId === undefined) return takeNew(request);
  const { source, keeper, ...rest } = request;
  const held = await holdSnapshot({
    ...{ ...rest, source: source.target, importId: earlierId, isWitnessed: true },
    ...(keeper === undefined ? {} : { keeper }),
  }).catch(ignoreLost);
  // A keeper accepts only one order, so the new snapshot needs another keeper.
  if (held === undefined) return takeNew({ ...rest, source });
  try {
    // The earlier transaction holds locks on the tables until its snapshot ends. If this session can still join the
    // snapshot after the keeper has locked the tables, they were never unlocked.
    await joinSnapshot(source.client.plain, earlierId);
  } catch (error) {
    await held.release();
    ignoreLost(error);
    await source.client.query('ROLLBACK');
    return takeNew({ ...rest, source });
  }
  return { client: source.client, id: held.snapshotId, joined: earlierId, held };
}

/** Lets a keeper take a new snapshot, and joins it. Only the keeper locks the tables. */
async function takeFromKeeper({ source, ...request }: Omit<SnapshotRequest, 'earlierId'>): Promise<Snapshot> {
  const held = await holdSnapshot({ ...request, source: source.target });
  try {
    await joinSnapshot(source.client.plain, held.snapshotId);
  } catch (error) {
    await held.release();
    throw error;
  }
  return { client: source.client, id: held.snapshotId, joined: undefined, held };
}

function ignoreLost(error: unknown): undefined {
  if (error instanceof SyncJobError && error.failure.code === 'snapshot_lost') return undefined;
  throw error;
}
