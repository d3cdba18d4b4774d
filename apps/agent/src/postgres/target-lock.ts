import type { Client } from 'pg';

/**
 * Waits for the target's lock and holds it until the session ends. Two jobs on one target, or two attempts of one job
 * (the old one may still run when its lease has moved on), so work one after the other: the later one begins when the
 * session of the earlier has ended, committed or rolled back. Advisory locks are local to a database, and a session's
 * lock survives what happens to its transactions.
 */
export async function lockTarget(client: Client): Promise<void> {
  // The wait is another job's length: no time-out of ours knows it.
  await client.query(
    "SET lock_timeout = 0; SELECT pg_catalog.pg_advisory_lock(pg_catalog.hashtextextended('understudy', 0)); SET lock_timeout = '60s'",
  );
}
