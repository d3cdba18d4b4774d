import { setTimeout as sleep } from 'node:timers/promises';
import {
  DatabaseError,
  databaseError,
  disconnect,
  quoteIdentifier,
  quoteLiteral,
  sqlstateOf,
  type ConnectionTarget,
} from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { DatabaseInUseError, endSessions, waitUntilUnused } from './blocking-uses.js';
import { CLAIM_LOST, requireClaim } from './database-claim.js';
import { keptOid, readChanges, readCompletedJobs, recordChange } from './properties/changes.js';
import { onTargetServer, openServerSession, type ServerSession } from './server-session.js';

/** The names of the databases of a switch. */
export interface SwitchedNames {
  /** The loaded database, which gets the target's name. */
  readonly loading: string;
  /** The name of the replaced database after the switch. */
  readonly replaced: string;
}

export interface SwitchRequest {
  /** The id of the job, restore or revert, which is recorded in the target in the same transaction. */
  readonly change: string;
  /** The database that has the target's name, if there is one. */
  readonly existing: { readonly oid: string } | undefined;
  /** How long to wait until the database is unused, in milliseconds. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
  /** True to end the sessions of the existing database that the role may end, instead of waiting for them. */
  readonly endsSessions?: boolean;
  /** The `application_name` of the attempt that must have claimed the loaded database. */
  readonly claim?: string;
  /** The oid that the loaded database must have. Its sessions are waited for, but never ended. */
  readonly loadingOid?: string;
}

/**
 * Renames the existing database and gives the target's name to the loaded database, in one transaction, which also
 * records the change; see {@link readChanges}. When this function resolves, the renames and all loaded rows are on the
 * server's disk. The caller must hold the lock on the target's name, so that no job completes in the existing database.
 *
 * First it waits, and sessions can come and go. Then the transaction closes the existing database, because the rename
 * locks the database object. The server lets new connections wait until the transaction ends, for at most twice
 * {@link MAX_RENAME_MS}. If the agent or its link dies, the transaction ends with its session, and the database is as
 * open as before.
 * @param session a session in another database
 * @throws DatabaseInUseError, SyncJobError lease_lost if the claim or the oid is another one, or DatabaseError with the
 * SQLSTATE {@link DUPLICATE_DATABASE}. In these cases, no database was renamed.
 * @throws other DatabaseErrors. If the code is `connection_lost`, the server may have renamed the databases; see
 * {@link isSwitched}.
 */
export async function switchDatabases(
  session: ServerSession,
  target: ConnectionTarget,
  names: SwitchedNames,
  request: SwitchRequest,
): Promise<void> {
  const { existing, loadingOid, change, graceMs, signal, endsSessions = false } = request;
  const earlier = await readEarlier(session, target, names, existing !== undefined).catch(
    (cause: unknown) => {
      throw databaseError(cause, 'target');
    },
  );
  const replaced = existing === undefined ? [] : [keptOid(change, existing.oid)];
  const recording = recordChange(target.database, change, [...earlier, ...replaced]);
  const until = performance.now() + graceMs;
  for (;;) {
    try {
      // The databases are renamed one after the other, so the second one must not let the first one wait.
      if (loadingOid !== undefined)
        await waitUntilUnused(session, loadingOid, { graceMs: until - performance.now(), signal });
      if (existing !== undefined)
        await waitUntilUnused(session, existing.oid, {
          graceMs: until - performance.now(),
          ...{ signal, ignores: endsSessions ? 'sessions_to_end' : 'none' },
        });
      signal.throwIfAborted();
      await session.client.query(COMMIT_TO_DISK);
      const renameBoth = () => rename(session, target.database, names, { ...request, recording });
      await (existing !== undefined && endsSessions
        ? whileEndingSessions(target, existing.oid, renameBoth)
        : renameBoth());
      return;
    } catch (cause) {
      const failure = switchFailure(cause);
      const leftMs = until - performance.now();
      if (!(failure instanceof DatabaseInUseError) || leftMs <= 0) throw failure;
      // A try that failed has closed the database for seconds, so the next one is later.
      await sleep(Math.min(BETWEEN_TRIES_MS, leftMs), undefined, { signal });
    }
  }
}

/** Reads the changes of both databases before the switch. */
async function readEarlier(
  { client }: ServerSession,
  target: ConnectionTarget,
  { loading }: SwitchedNames,
  exists: boolean,
): Promise<readonly string[]> {
  return [
    ...(await readChanges(client, loading)),
    ...(await readChanges(client, target.database)),
    ...(exists ? await readCompletedJobs(client, target) : []),
  ];
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

/** Sends the whole transaction at once, so that a pause of the agent cannot prolong it. */
async function rename(
  { client }: ServerSession,
  target: string,
  { loading, replaced }: SwitchedNames,
  { existing, claim, loadingOid, recording }: SwitchRequest & { readonly recording: string },
): Promise<void> {
  const statements = [
    'BEGIN',
    `SET LOCAL statement_timeout = ${MAX_RENAME_MS}`,
    ...(existing === undefined ? [] : [renaming(target, replaced)]),
    renaming(loading, target),
    ...(claim === undefined ? [] : [requireClaim(target, claim)]),
    ...(loadingOid === undefined ? [] : [requireOid(target, loadingOid)]),
    recording,
    'SET LOCAL statement_timeout = 0', // the commit may wait for a standby
    'COMMIT',
  ];
  try {
    await client.query(statements.join(';\n'));
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // without a connection, the server rolls back itself
    throw error;
  }
}

/** Returns a statement that fails as that of {@link requireClaim} unless the database has the oid. */
function requireOid(database: string, oid: string): string {
  return `SELECT 1 / (EXISTS (SELECT FROM pg_catalog.pg_database
     WHERE datname = ${quoteLiteral(database)} AND oid = ${quoteLiteral(oid)}::oid))::int`;
}

const BETWEEN_TRIES_MS = 5_000;

/** How long one rename waits for sessions to leave or to finish connecting. */
const MAX_RENAME_MS = 5_000;

function renaming(from: string, to: string): string {
  return `ALTER DATABASE ${quoteIdentifier(from)} RENAME TO ${quoteIdentifier(to)}`;
}

/**
 * Ends the sessions of a database while it is being renamed. The server waits five seconds for them to leave, and lets
 * no others in.
 */
async function whileEndingSessions(
  target: ConnectionTarget,
  oid: string,
  rename: () => Promise<void>,
): Promise<void> {
  const { client } = await openServerSession(target);
  let isRunning = true;
  const ending = async () => {
    while (isRunning) {
      await endSessions(client, oid);
      await sleep(BETWEEN_ENDS_MS);
    }
  };
  try {
    // If a session cannot be ended, the rename reports that the database is in use.
    const [renamed] = await Promise.allSettled([rename().finally(() => (isRunning = false)), ending()]);
    if (renamed.status === 'rejected') throw renamed.reason;
  } finally {
    await disconnect(client);
  }
}

const BETWEEN_ENDS_MS = 100;

function switchFailure(cause: unknown): unknown {
  if (cause instanceof DatabaseInUseError || cause instanceof DatabaseError) return cause;
  switch (sqlstateOf(cause)) {
    case OBJECT_IN_USE:
    case QUERY_CANCELED:
      return new DatabaseInUseError([], { cause });
    case CLAIM_LOST:
      return new SyncJobError({ code: 'lease_lost' }, { cause });
    default:
      return databaseError(cause, 'target');
  }
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
const QUERY_CANCELED = '57014';
/** The SQLSTATE of a rename to a name that another database has. */
export const DUPLICATE_DATABASE = '42P04';
