import type { EngineLog, Client } from '@understudy/postgres';
import { type LedgerRow, readLedgerRow } from './ledger/staging-ledger.js';
import { endOlderAttempts, type JobAttempt } from '../session/job-attempt.js';
import { SyncJobError } from '@understudy/sync-job';
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
 * longer commit. If another job uses the target, waits without a time limit until that job ends. Any role can take the
 * lock of the target, also while this session waits, so the wait for a role that jobs need not trust has a limit.
 * @param strangerMs the limit, in milliseconds
 * @throws SyncJobError lease_lost if a later attempt has claimed the job · staging_untrusted · target_lock_held
 */
export async function acquireTarget(
  client: Client,
  attempt: JobAttempt,
  maskingKey: Uint8Array,
  log: EngineLog,
  strangerMs: number,
): Promise<AcquiredTarget> {
  // Staged rows may be lost in a crash, so their commits do not wait for the disk. Only the commit of the
  // switch does.
  await client.query('SET synchronous_commit = off');
  await claimEpoch(client, attempt);
  await endOlderAttempts(client, attempt);
  const waited = await lockTarget(client, log, strangerMs);
  // Repeated, because the previous lock owner may have created a ledger while this session waited.
  await claimEpoch(client, attempt);
  return { ledger: await readLedgerRow(client, attempt.jobId, maskingKey), waited };
}

const LOCK = "pg_catalog.hashtextextended('understudy', 0)";

/**
 * Locks the target with an advisory lock of the session. The lock applies to one database and is not released by
 * a commit.
 * @returns true if the session had to wait for another job
 */
async function lockTarget(client: Client, log: EngineLog, strangerMs: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_catalog.pg_try_advisory_lock(${LOCK}) AS locked`,
  );
  if (rows[0]?.locked === true) return false;
  let waited = false;
  let wasStranger: boolean | undefined;
  // Another job can take hours, so the wait for it has no time limit. A stranger can get the lock while this session
  // waits, so the holders are read again after each limit.
  for (;;) {
    const isStranger = await isHeldByStranger(client, log, wasStranger);
    waited ||= !isStranger;
    const cause = await waitForLock(client, Math.max(isStranger ? 1 : LEAST_WAIT_MS, strangerMs));
    if (cause === undefined) break;
    if (isStranger && wasStranger === true)
      throw new SyncJobError({ code: 'target_lock_held', side: 'target' }, { cause });
    wasStranger = isStranger;
  }
  await client.query("SET lock_timeout = '60s'");
  return waited;
}

/** Finds out whether a role that jobs need not trust holds the lock. Logs the holders unless this is already known. */
async function isHeldByStranger(
  client: Client,
  log: EngineLog,
  known: boolean | undefined,
): Promise<boolean> {
  const { rows: holders } = await client.query<AdvisoryHolder>(LOCK_HOLDERS);
  const isStranger = holders.some((holder) => !holder.is_trusted);
  if (isStranger !== known)
    log.warn(
      { holders },
      isStranger
        ? 'a session of another role holds the lock of the target: this job waits for a limited time'
        : 'another job uses the target: this job waits until it ends',
    );
  return isStranger;
}

/** @returns the error of the server if the lock was not released within the time */
async function waitForLock(client: Client, timeoutMs: number): Promise<unknown> {
  try {
    await client.query(`SET lock_timeout = ${timeoutMs}; SELECT pg_catalog.pg_advisory_lock(${LOCK})`);
    return undefined;
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    return error;
  }
}

/** The shortest time between two looks at the holders. */
const LEAST_WAIT_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

interface AdvisoryHolder {
  pid: number;
  name: string | null;
  role: string | null;
  /** True for a session of our own role or of a superuser. */
  is_trusted: boolean;
}

const LOCK_HOLDERS = `
  SELECT l.pid, a.application_name AS name, a.usename AS role, (a.usename IN (current_user, session_user) OR r.rolsuper) IS TRUE AS is_trusted
    FROM pg_catalog.pg_locks l
    LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
    LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.usesysid
   WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
     AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
     AND (l.classid::int8 << 32 | l.objid::int8) = ${LOCK}
`;
