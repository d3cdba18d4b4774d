import {
  type ConnectionTarget,
  DatabaseError,
  databaseError,
  type EngineLog,
  isUnreachable,
} from '@understudy/postgres';
import { defined, type SyncFailureCode, SyncJobError } from '@understudy/sync-job';
import { DatabaseInUseError } from '../blocking-uses.js';
import { withLockedTarget } from '../lock/locked-session.js';
import { readChanges } from '../properties/changes.js';
import { readProperties } from '../properties/database-properties.js';
import type { ServerSession } from '../server-session.js';
import { switchDatabases } from '../switch-databases.js';
import { findKept, isReplaced } from './kept-databases.js';
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
  /** True to end the sessions of the target that the role may end, instead of waiting for them. */
  readonly endsSessions?: boolean;
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
 * kept_database_changed if another database has its name · database_in_use if other sessions do not leave the target in
 * time · database_not_found · replace_denied if the role may not rename both databases · DatabaseError. In these cases,
 * no database was renamed, unless the code is `connection_lost`: then repeat the revert. Each attempt after the first
 * one reports this code for a server that it cannot reach.
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
    if (cause instanceof SyncJobError) throw cause;
    const error = databaseError(cause, 'target');
    // The databases may have been swapped by an earlier attempt that could not report it.
    throw epoch > 1 && isUnreachable(error)
      ? new DatabaseError('connection_lost', 'target', { cause })
      : error;
  }
}

async function revertLocked(
  session: ServerSession,
  target: ConnectionTarget,
  request: RevertRequest,
): Promise<void> {
  const { revertId, lastChange, graceMs, signal, endsSessions, log, reached = () => undefined } = request;
  const { client, isInTarget } = session;
  const { database } = target;
  const changes = await readChanges(client, database);
  if (changes.includes(revertId)) return;
  const kept = await findKept(client, database, lastChange, changes);
  // A later change may have been unable to drop the database.
  if (kept === undefined || (changes.includes(lastChange) && changes.at(-1) !== lastChange))
    throw failure('kept_database_missing');
  if (!isReplaced(kept)) {
    log.warn(kept, 'the kept database was expected to have another oid');
    throw failure('kept_database_changed');
  }
  const existing = await readProperties(client, database);
  if (existing === undefined) throw failure('database_not_found');
  const { rows } = await client.query(MAY_RENAME, [[database, kept.name]]);
  if (isInTarget || rows.length === 0) throw failure('replace_denied');
  await reached('before_commit');
  const names = { loading: kept.name, replaced: keptName(database, revertId) };
  const swap = {
    change: revertId,
    existing,
    graceMs,
    signal,
    loadingOid: kept.oid,
    ...defined({ endsSessions }),
  };
  try {
    await switchDatabases(session, target, names, swap);
  } catch (error) {
    if (error instanceof DatabaseInUseError) throw failure('database_in_use', error);
    const isOtherOid = error instanceof SyncJobError && error.failure.code === 'lease_lost';
    throw isOtherOid ? failure('kept_database_changed', error) : error;
  }
  await reached('committed');
}

function failure(code: SyncFailureCode, cause?: Error): SyncJobError {
  return new SyncJobError({ code, side: 'target' }, { cause });
}

/** Selects a row if the role may rename all databases with the names $1. */
const MAY_RENAME = `
  SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = current_user AND (r.rolsuper OR r.rolcreatedb)
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_database d
                      WHERE d.datname = ANY ($1) AND NOT pg_catalog.pg_has_role(d.datdba, 'USAGE'))
`;
