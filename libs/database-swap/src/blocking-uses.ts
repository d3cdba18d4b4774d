import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@understudy/postgres';
import type { ServerSession } from './server-session.js';

/** Other sessions, prepared transactions, replication slots or subscriptions use a database that must be renamed. */
export class DatabaseInUseError extends Error {
  constructor(options?: ErrorOptions) {
    super('the database is in use', options);
    this.name = 'DatabaseInUseError';
  }
}

interface UnusedRequest {
  readonly graceMs: number;
  /** True to ignore the sessions of jobs of the client's role. */
  readonly ignoresJobs?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Waits until other sessions have left the database. Does not terminate sessions.
 * @param databaseOid the oid of the target. If the session is connected to it, nothing is waited for, because it is not
 * renamed
 * @throws DatabaseInUseError after the time
 */
export async function waitUntilUnused(
  { client, isInTarget }: ServerSession,
  databaseOid: string,
  { graceMs, ignoresJobs = false, signal }: UnusedRequest,
): Promise<void> {
  if (isInTarget) return;
  const until = performance.now() + graceMs;
  while ((await countBlockingUses(client, databaseOid, ignoresJobs)) > 0) {
    if (performance.now() >= until) throw new DatabaseInUseError();
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}

const POLL_INTERVAL_MS = 200;

/**
 * Counts the other sessions, prepared transactions, replication slots and subscriptions of a database. Each of them
 * prevents the database from being renamed or dropped.
 */
async function countBlockingUses(client: Client, databaseOid: string, ignoresJobs: boolean): Promise<number> {
  const { rows } = await client.query<{ users: string }>(COUNT_USERS, [databaseOid, ignoresJobs]);
  return Number(rows[0]?.users ?? 0);
}

/**
 * Counts everything that prevents a database from being renamed or dropped. $1: oid of the database, $2: whether to
 * ignore the sessions of jobs of the client's role. A role that is not a superuser cannot see the type of other roles'
 * sessions. Only an autovacuum worker has no role.
 */
const COUNT_USERS = `
  SELECT (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_activity a
           WHERE a.datid = $1::oid AND a.pid <> pg_catalog.pg_backend_pid()
             AND a.usesysid IS NOT NULL AND a.backend_type IS DISTINCT FROM 'parallel worker'
             AND NOT ($2 AND a.usename = current_user AND pg_catalog.starts_with(a.application_name, 'understudy')))
       + (SELECT pg_catalog.count(*) FROM pg_catalog.pg_prepared_xacts x
            JOIN pg_catalog.pg_database d ON d.datname = x.database WHERE d.oid = $1::oid)
       + (SELECT pg_catalog.count(*) FROM pg_catalog.pg_replication_slots s
            JOIN pg_catalog.pg_database d ON d.datname = s.database WHERE d.oid = $1::oid)
       + (SELECT pg_catalog.count(*) FROM pg_catalog.pg_subscription s WHERE s.subdbid = $1::oid) AS users
`;
