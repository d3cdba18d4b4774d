import { isRetryable } from '@understudy/sync-job';
import type { KeepSnapshot } from '../environment.js';
import { listTables } from '../plan/list-tables.js';
import { failureOf } from '../session/guard.js';
import { keeperSessionName } from '../session/job-attempt.js';
import type { LocatedSession } from '../session/located-client.js';
import type { KeeperProcess } from '../source/snapshot-keeper.js';
import type { Snapshot } from '../source/snapshot.js';
import { takeSnapshot } from '../source/take-snapshot.js';
import type { RunningJob } from './running-job.js';

/** The parts with which an attempt holds a snapshot of its source. */
export interface SnapshotHolding {
  /** The id of the snapshot of an earlier attempt, to join it if it is still held. */
  readonly earlierId: string | undefined;
  readonly keeper: KeeperProcess;
  readonly keepSnapshot: KeepSnapshot;
}

/**
 * Takes the snapshot of an attempt, and runs work with it. The work releases the snapshot when it needs it no more. If
 * the work fails and another attempt may continue, the snapshot stays until it expires.
 */
export async function withSnapshot<T>(
  { command, environment, signal }: RunningJob,
  source: LocatedSession,
  { earlierId, keeper, keepSnapshot }: SnapshotHolding,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const { jobId, epoch } = command;
  const snapshot = await takeSnapshot({
    source,
    sessionName: keeperSessionName(command),
    tables: listTables(command),
    earlierId,
    isLockedOnce: command.replace === 'database',
    expiresAfterMs: environment.copy.snapshotHeldMs,
    signal,
    keeper,
    onBlocked: (backendPids) => {
      environment.log.warn({ jobId, epoch, backendPids }, 'sessions on the source hold locks on its tables');
    },
  });
  const endRegistration = keepSnapshot(() => {
    snapshot.held.renew();
  });
  try {
    return await work(snapshot);
  } catch (error) {
    if (isRetryable(failureOf(error, signal))) snapshot.held.leave();
    else await snapshot.held.release();
    throw error;
  } finally {
    endRegistration();
  }
}
