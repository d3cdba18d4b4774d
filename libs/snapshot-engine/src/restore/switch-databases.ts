import {
  connect,
  disconnect,
  quoteIdentifier,
  DatabaseError,
  databaseError,
  type ConnectionTarget,
} from '@understudy/postgres';
import { SnapshotError } from '../job/snapshot-failure.js';
import { resetMarker } from '../postgres/restore-marker.js';
import { onTargetServer, SESSION_NAME, type ServerSession } from '../postgres/server-session.js';
import { waitUntilUnused, type RestoreMethod } from './inspect-target.js';
import type { RestoreDatabase } from './restore-database.js';
import { readContent } from './target-state.js';

/**
 * Renames the existing database and gives the target's name to the loaded database, in one transaction. When this
 * function resolves, the renames and all loaded rows are on the server's disk.
 * @throws SnapshotError `target_in_use` or `target_not_empty`. In both cases, no database was renamed.
 * @throws DatabaseError. If its code is `connection_lost`, the server may have renamed the databases; see
 * {@link isSwitched}.
 */
export async function switchDatabases(
  session: ServerSession,
  restoreDatabase: RestoreDatabase,
  request: {
    readonly existing: Extract<RestoreMethod, { kind: 'new_database' }>['existing'];
    readonly overwrite: boolean;
    readonly graceMs: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { target, loading, replaced } = restoreDatabase;
  const { existing, overwrite, graceMs, signal } = request;
  const rename = (from: string, to: string) =>
    `ALTER DATABASE ${quoteIdentifier(from)} RENAME TO ${quoteIdentifier(to)}`;
  const { client } = session;
  try {
    if (existing !== undefined) {
      if (!overwrite) await checkStillEmpty(target);
      await waitUntilUnused(session, existing.oid, { graceMs, signal });
    }
    signal.throwIfAborted();
    await client.query(COMMIT_TO_DISK);
    await client.query('BEGIN');
    if (existing !== undefined) await client.query(rename(target.database, replaced));
    await client.query(rename(loading, target.database));
    await client.query('COMMIT');
  } catch (cause) {
    throw switchFailure(cause);
  }
}

/** @returns whether the database with this oid has the target's name */
export function isSwitched(target: ConnectionTarget, oid: string): Promise<boolean> {
  return onTargetServer(target, async (client) => {
    const { rows } = await client.query(
      'SELECT FROM pg_catalog.pg_database WHERE oid = $1::oid AND datname = $2',
      [oid, target.database],
    );
    return rows.length > 0;
  });
}

/** Removes the marker of a restore from its target. @throws DatabaseError */
export function removeMarker(target: ConnectionTarget): Promise<void> {
  return onTargetServer(target, async (client) => void (await client.query(resetMarker(target.database))));
}

async function checkStillEmpty(target: ConnectionTarget): Promise<void> {
  const client = await connect(target, 'target', SESSION_NAME);
  try {
    const { hasObjects } = await readContent(client);
    if (hasObjects) throw new SnapshotError({ code: 'target_not_empty', side: 'target' });
  } finally {
    await disconnect(client);
  }
}

function switchFailure(cause: unknown): unknown {
  if (cause instanceof SnapshotError || cause instanceof DatabaseError) return cause;
  const { code } = cause as { code?: unknown };
  if (code === OBJECT_IN_USE) return new SnapshotError({ code: 'target_in_use', side: 'target' }, { cause });
  if (code === DUPLICATE_DATABASE)
    return new SnapshotError({ code: 'target_not_empty', side: 'target' }, { cause });
  return databaseError(cause, 'target');
}

/**
 * Turns `synchronous_commit` on if a setting of the server, role or database turned it off. Does not change values
 * that also wait for standbys.
 */
const COMMIT_TO_DISK = `
  SELECT pg_catalog.set_config('synchronous_commit', 'on', false)
   WHERE pg_catalog.current_setting('synchronous_commit') = 'off'
`;

const OBJECT_IN_USE = '55006';
const DUPLICATE_DATABASE = '42P04';
