import { type ConnectionTarget, databaseError, type EngineLog } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { DatabaseInUseError } from '../blocking-uses.js';
import { withLockedTarget } from '../lock/locked-session.js';
import { readChanges } from '../properties/changes.js';
import { readProperties } from '../properties/database-properties.js';
import type { ServerSession } from '../server-session.js';
import { switchDatabases } from '../switch-databases.js';
import { isKept } from './kept-databases.js';
import { keptName } from './kept-name.js';

export interface RevertRequest {
  /** The id of the revert. The database that it replaces is kept under its name. */
  readonly revertId: string;
  /** The number of the attempt, from 1. A later attempt ends the session of an earlier one that hangs. */
  readonly epoch: number;
  /** The id of the last change of the target: the job that replaced it, or an earlier revert. */
  readonly lastChange: string;
  /** How long to wait until the target is unused, in milliseconds. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
  readonly log: EngineLog;
  /** Called before and after the swap, which waits for the promise. */
  readonly reached?: (step: 'before_commit' | 'committed') => Promise<void> | void;
}

/**
 * Swaps the target and the database that its last change has replaced. The present target is kept in turn, so another
 * revert swaps them again. An attempt that finds the revert among the changes of the target has no effect, even if other
 * changes have followed.
 * @throws SyncJobError kept_database_missing if another change was the last one, or the kept database is gone ·
 * database_in_use if other sessions do not leave the target in time · database_not_found · replace_denied ·
 * DatabaseError. In these cases, no database was renamed, unless the code is `connection_lost`: then repeat the revert.
 */
export async function revertTarget(target: ConnectionTarget, request: RevertRequest): Promise<void> {
  const { revertId, epoch, log, signal } = request;
  const name = `understudy ${revertId.toLowerCase()} ${epoch}`;
  try {
    await withLockedTarget(target, { name, log, signal }, (session) =>
      revertLocked(session, target, request),
    );
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof SyncJobError ? cause : databaseError(cause, 'target');
  }
}

async function revertLocked(
  session: ServerSession,
  target: ConnectionTarget,
  { revertId, lastChange, graceMs, signal, reached = () => undefined }: RevertRequest,
): Promise<void> {
  const { client, isInTarget } = session;
  const { database } = target;
  if ((await readChanges(client, database)).includes(revertId)) return;
  if (!(await isKept(client, database, lastChange)))
    throw new SyncJobError({ code: 'kept_database_missing', side: 'target' });
  if (isInTarget) throw new SyncJobError({ code: 'replace_denied', side: 'target' });
  const existing = await readProperties(client, database);
  if (existing === undefined) throw new SyncJobError({ code: 'database_not_found', side: 'target' });
  await reached('before_commit');
  const names = { loading: keptName(database, lastChange), replaced: keptName(database, revertId) };
  try {
    await switchDatabases(session, target, names, { change: revertId, existing, graceMs, signal });
  } catch (error) {
    if (error instanceof DatabaseInUseError)
      throw new SyncJobError({ code: 'database_in_use', side: 'target' }, { cause: error });
    throw error;
  }
  await reached('committed');
}
