import {
  DatabaseError,
  databaseError,
  quoteIdentifier,
  sqlstateOf,
  type ConnectionTarget,
} from '@understudy/postgres';
import { DatabaseInUseError, waitUntilUnused } from './blocking-uses.js';
import { onTargetServer, type ServerSession } from './server-session.js';

/** The names of the databases of a switch. */
export interface SwitchedNames {
  /** The name that users know. */
  readonly target: string;
  /** The loaded database, which gets the target's name. */
  readonly loading: string;
  /** The name of the replaced database after the switch. */
  readonly replaced: string;
}

/**
 * Renames the existing database and gives the target's name to the loaded database, in one transaction. When this
 * function resolves, the renames and all loaded rows are on the server's disk.
 * @param request `existing`: the database that has the target's name, if there is one · `graceMs`: how long to wait for
 * other sessions to leave it
 * @throws DatabaseInUseError, or DatabaseError with the SQLSTATE {@link DUPLICATE_DATABASE}. In both cases, no database
 * was renamed.
 * @throws other DatabaseErrors. If the code is `connection_lost`, the server may have renamed the databases; see
 * {@link isSwitched}.
 */
export async function switchDatabases(
  session: ServerSession,
  { target, loading, replaced }: SwitchedNames,
  request: {
    readonly existing: { readonly oid: string } | undefined;
    readonly graceMs: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { existing, signal } = request;
  const { client } = session;
  try {
    if (existing !== undefined) await waitUntilUnused(session, existing.oid, request);
    signal.throwIfAborted();
    await client.query(COMMIT_TO_DISK);
    await client.query('BEGIN');
    if (existing !== undefined) await client.query(rename(target, replaced));
    await client.query(rename(loading, target));
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

function rename(from: string, to: string): string {
  return `ALTER DATABASE ${quoteIdentifier(from)} RENAME TO ${quoteIdentifier(to)}`;
}

function switchFailure(cause: unknown): unknown {
  if (cause instanceof DatabaseInUseError || cause instanceof DatabaseError) return cause;
  return sqlstateOf(cause) === OBJECT_IN_USE
    ? new DatabaseInUseError({ cause })
    : databaseError(cause, 'target');
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
/** The SQLSTATE of a rename to a name that another database has. */
export const DUPLICATE_DATABASE = '42P04';
