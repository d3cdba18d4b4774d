import type { EngineLog, Client } from '@understudy/postgres';
import { type LedgerRow, readLedgerRow } from './ledger/staging-ledger.js';
import { endOlderAttempts, type JobAttempt } from '../session/job-attempt.js';
import { claimEpoch } from './claim-epoch.js';

/** A target that no other job uses, and on which older attempts of this job can no longer commit. */
export interface AcquiredTarget {
  /** The ledger row that an earlier attempt wrote, if there is one. */
  readonly ledger: LedgerRow | undefined;
  /** True if the attempt had to wait for another job. */
  readonly waited: boolean;
}

/**
 * Acquires the target until the session ends. Ends the sessions of older attempts of this job, which can then no
 * longer commit. If another job uses the target, waits without a time limit until that job ends.
 * @throws SyncJobError lease_lost if a later attempt has claimed the job · staging_untrusted
 */
export async function acquireTarget(
  client: Client,
  attempt: JobAttempt,
  maskingKey: Uint8Array,
  log: EngineLog,
): Promise<AcquiredTarget> {
  // Staged rows may be lost in a crash, so their commits do not wait for the disk. Only the commit of the
  // switch does.
  await client.query('SET synchronous_commit = off');
  await claimEpoch(client, attempt);
  await endOlderAttempts(client, attempt);
  const waited = await lockTarget(client, log);
  // Repeated, because the previous lock owner may have created a ledger while this session waited.
  await claimEpoch(client, attempt);
  return { ledger: await readLedgerRow(client, attempt.jobId, maskingKey), waited };
}

const LOCK = "pg_catalog.hashtextextended('understudy', 0)";

/**
 * Locks the target with an advisory lock of the session. The lock applies to one database and is not released by
 * a commit.
 * @returns true if the session had to wait
 */
async function lockTarget(client: Client, log: EngineLog): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_catalog.pg_try_advisory_lock(${LOCK}) AS locked`,
  );
  if (rows[0]?.locked === true) return false;
  const holders = await client.query<{ pid: number; name: string }>(LOCK_HOLDERS);
  log.warn({ holders: holders.rows }, 'another job uses the target: this job waits until it ends');
  // Another job can take hours, so the wait has no time limit.
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
