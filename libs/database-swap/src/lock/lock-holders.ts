import { quoteLiteral, sqlNames, type Client, type EngineLog } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { MAINTENANCE_DATABASES } from '../server-session.js';

/**
 * The keys of the advisory locks of a target. Work inside a database holds the target lock, which exists once in each
 * database. Work that replaces a database holds the lock on its name, in a maintenance database.
 */
export const TARGET_KEY = "pg_catalog.hashtextextended('understudy', 0)";

/** @param name SQL of the database's name */
export function nameKey(name: string): string {
  return `pg_catalog.hashtextextended('understudy ' || ${name}, 0)`;
}

/** A session that holds a lock of a target, or a prepared transaction, which has no process. */
export interface LockHolder {
  readonly pid: number | null;
  /** The `application_name` of the session. */
  readonly name: string | null;
  /** The name of the prepared transaction. */
  readonly transaction: string | null;
  readonly role: string | null;
  /** True for a session of the client's own role. */
  readonly isOwn: boolean;
  /** True for the lock on the name: the session replaces the database, or waits until it can. */
  readonly isReplacing: boolean;
}

/**
 * Reads the other sessions that hold the target lock of a database, or the lock on its name in any database.
 * @param database the name of the database; absent for the client's own database
 */
export async function readLockHolders(client: Client, database?: string): Promise<readonly LockHolder[]> {
  const { rows } = await client.query<LockHolder>(LOCK_HOLDERS, [database ?? null]);
  return rows;
}

/**
 * Any role can take these locks, so nothing waits for a session of another role, or for a prepared transaction.
 * @throws SyncJobError target_lock_held with the role of such a holder
 */
export function refuseStrangers(holders: readonly LockHolder[], log: EngineLog): void {
  const stranger = holders.find(({ isOwn }) => !isOwn);
  if (stranger === undefined) return;
  log.warn(
    { holders },
    'a session of another role or a prepared transaction holds the lock of the target: nothing waits for it',
  );
  const failure = { code: 'target_lock_held', side: 'target' } as const;
  const problem = { ...failure, ...sqlNames({ objectRole: stranger.role ?? '' }) };
  throw new SyncJobError({ ...failure, problems: [problem], problemCount: 1 });
}

const IN_MAINTENANCE = MAINTENANCE_DATABASES.map(quoteLiteral).join(', ');

/**
 * Finds a prepared transaction by the lock on its own transaction id. Leaves out a session that ends between the
 * reading of locks and of sessions. Leaves out a lock on the name that another role has where nobody locks names,
 * because code of the source can take such a lock while its database is built. $1: the name of the database, or null.
 */
const LOCK_HOLDERS = `
  SELECT l.pid, a.application_name AS name, p.gid AS transaction, coalesce(a.usename, p.owner) AS role,
         (a.usename IN (current_user, session_user)) IS TRUE AS "isOwn", k.key <> ${TARGET_KEY} AS "isReplacing"
    FROM (SELECT coalesce($1::text, pg_catalog.current_database()::text) AS name) t
    JOIN pg_catalog.pg_locks l ON l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
    JOIN pg_catalog.pg_database d ON d.oid = l.database
   CROSS JOIN LATERAL (SELECT l.classid::int8 << 32 | l.objid::int8 AS key) k
    LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
    LEFT JOIN pg_catalog.pg_locks x
      ON l.pid IS NULL AND x.pid IS NULL AND x.locktype = 'transactionid' AND x.virtualtransaction = l.virtualtransaction
    LEFT JOIN pg_catalog.pg_prepared_xacts p ON p.transaction = x.transactionid
   WHERE l.pid IS DISTINCT FROM pg_catalog.pg_backend_pid() AND (l.pid IS NULL OR a.pid IS NOT NULL)
     AND (k.key = ${nameKey('t.name')}
           AND (d.datname IN (${IN_MAINTENANCE}) OR a.usename IN (current_user, session_user))
          OR k.key = ${TARGET_KEY} AND d.datname = t.name)
`;
