import type { EngineLog, Client } from '@understudy/postgres';
import { type LedgerRow, readLedgerRow } from './ledger/staging-ledger.js';
import { endOlderAttempts, type JobAttempt } from '../session/job-attempt.js';
import { claimEpoch } from './claim-epoch.js';

/** A target on which no other job works, and on which older attempts of this one can commit nothing any more. */
export interface TakenTarget {
  /** What an earlier attempt has left. */
  readonly ledger: LedgerRow | undefined;
  /** Another job was waited for. */
  readonly waited: boolean;
}

/**
 * Takes the target for the length of the session. An older attempt of the job is shut out first (its epoch is no longer the row's) and
 * then ended, whether it still works or only holds the lock; another job's session is waited for.
 * @throws SyncJobError lease_lost when a later attempt was here · staging_untrusted
 */
export async function takeTarget(
  client: Client,
  attempt: JobAttempt,
  maskingKey: Uint8Array,
  log: EngineLog,
): Promise<TakenTarget> {
  // What is staged need not outlive a crash: only the switch waits for disks and standbys.
  await client.query('SET synchronous_commit = off');
  await claimEpoch(client, attempt);
  await endOlderAttempts(client, attempt);
  const waited = await lockTarget(client, log);
  // Whoever held the lock may have begun a ledger meanwhile.
  await claimEpoch(client, attempt);
  return { ledger: await readLedgerRow(client, attempt.jobId, maskingKey), waited };
}

const LOCK = "pg_catalog.hashtextextended('understudy', 0)";

/** Advisory locks are local to a database; a session's lock survives what happens to its transactions. */
async function lockTarget(client: Client, log: EngineLog): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_catalog.pg_try_advisory_lock(${LOCK}) AS locked`,
  );
  if (rows[0]?.locked === true) return false;
  const holders = await client.query<{ pid: number; name: string }>(LOCK_HOLDERS);
  log.warn({ holders: holders.rows }, 'another job holds the target: waiting for it');
  // The wait is another job's length: no time-out of ours knows it.
  await client.query(
    `SET lock_timeout = 0; SELECT pg_catalog.pg_advisory_lock(${LOCK}); SET lock_timeout = '60s'`,
  );
  return true;
}

const LOCK_HOLDERS = `
  SELECT l.pid, a.application_name AS name
    FROM pg_catalog.pg_locks l LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
   WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
     AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
     AND (l.classid::int8 << 32 | l.objid::int8) = ${LOCK}
`;
