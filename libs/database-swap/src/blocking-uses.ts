import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@understudy/postgres';
import type { ServerSession } from './server-session.js';

/** Other sessions, prepared transactions, replication slots or subscriptions use a database that must be renamed. */
export class DatabaseInUseError extends Error {
  /** @param uses what uses the database, if it is known, for the local log */
  constructor(uses: readonly string[] = [], options?: ErrorOptions) {
    const more = uses.length > MAX_NAMED ? ` and ${uses.length - MAX_NAMED} more` : '';
    const by = uses.length === 0 ? '' : ` by ${uses.slice(0, MAX_NAMED).join(', ')}${more}`;
    super(`the database is in use${by}`, options);
    this.name = 'DatabaseInUseError';
  }
}

const MAX_NAMED = 10;

/**
 * Sessions that are not in the way. `jobs`: those of other work of the client's role, which ends before this work
 * begins. `sessions_to_end`: those that {@link endSessions} ends.
 */
export type IgnoredSessions = 'none' | 'jobs' | 'sessions_to_end';

/**
 * Waits until other sessions have left the database. Does not terminate sessions.
 * @param databaseOid the oid of the target. If the session is connected to it, nothing is waited for, because it is not
 * renamed
 * @throws DatabaseInUseError after the time
 */
export async function waitUntilUnused(
  { client, isInTarget }: ServerSession,
  databaseOid: string,
  {
    graceMs,
    signal,
    ignores = 'none',
  }: { readonly graceMs: number; readonly signal: AbortSignal; readonly ignores?: IgnoredSessions },
): Promise<void> {
  if (isInTarget) return;
  const until = performance.now() + graceMs;
  for (;;) {
    const { rows } = await client.query<{ use: string }>(USES, [databaseOid, ignores]);
    if (rows.length === 0) return;
    if (performance.now() >= until) throw new DatabaseInUseError(rows.map(({ use }) => use));
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}

const POLL_INTERVAL_MS = 200;

/** Ends the other sessions of a database that the client's role may end. */
export async function endSessions(client: Client, databaseOid: string): Promise<void> {
  await client.query(
    `SELECT pg_catalog.pg_terminate_backend(a.pid) FROM ${SESSIONS} WHERE a.datid = $1::oid AND ${MAY_END}`,
    [databaseOid],
  );
}

/** The other sessions of the server, with their roles. */
export const SESSIONS = `
  (SELECT * FROM pg_catalog.pg_stat_activity WHERE pid <> pg_catalog.pg_backend_pid()) a
  LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.usesysid
  CROSS JOIN (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) me`;

/** The rule of `pg_terminate_backend`, which fails for a session that the role may not end. */
export const MAY_END = `(me.rolsuper OR NOT r.rolsuper
  AND (pg_catalog.pg_has_role(a.usesysid, 'USAGE') OR pg_catalog.pg_has_role('pg_signal_backend', 'USAGE'))) IS TRUE`;

/**
 * Lists everything that prevents a database from being renamed or dropped. $1: oid of the database, $2:
 * {@link IgnoredSessions}. A role that is not a superuser cannot see the type of other roles' sessions. Only an
 * autovacuum worker has no role. A transaction in another database can lock the database object, too.
 */
const USES = `
  SELECT 'process ' || a.pid AS use FROM ${SESSIONS}
   WHERE a.datid = $1::oid AND a.usesysid IS NOT NULL AND a.backend_type IS DISTINCT FROM 'parallel worker'
     AND CASE $2 WHEN 'jobs' THEN a.usename = current_user AND pg_catalog.starts_with(a.application_name, 'understudy')
                 WHEN 'sessions_to_end' THEN ${MAY_END} END IS NOT TRUE
   UNION ALL
  SELECT 'prepared transaction ' || pg_catalog.quote_literal(x.gid) FROM pg_catalog.pg_prepared_xacts x
    JOIN pg_catalog.pg_database d ON d.datname = x.database WHERE d.oid = $1::oid
   UNION ALL
  SELECT 'replication slot ' || s.slot_name FROM pg_catalog.pg_replication_slots s
    JOIN pg_catalog.pg_database d ON d.datname = s.database WHERE d.oid = $1::oid
   UNION ALL
  SELECT 'subscription ' || s.subname FROM pg_catalog.pg_subscription s WHERE s.subdbid = $1::oid
   UNION ALL
  SELECT coalesce('the locks of process ' || l.pid, 'the locks of a prepared transaction') FROM pg_catalog.pg_locks l
   WHERE l.locktype = 'object' AND l.classid = 'pg_catalog.pg_database'::regclass AND l.objid = $1::oid AND l.granted
     AND l.pid IS DISTINCT FROM pg_catalog.pg_backend_pid()
`;
