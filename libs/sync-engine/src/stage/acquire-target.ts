import { sqlNames, sqlstateOf, type EngineLog, type Client } from '@understudy/postgres';
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
 * Acquires and holds the target until the session ends. Ends the sessions of older attempts of this job, which can then no
 * longer commit. If another job uses the target, waits without a time limit until that job ends. Any role can take the
 * lock of the target, also while this session waits. This function waits only for sessions of its own role.
 * @throws SyncJobError lease_lost if a later attempt has claimed the job · staging_untrusted · target_lock_held
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
 * @returns true if the session had to wait for another job
 */
async function lockTarget(client: Client, log: EngineLog): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_catalog.pg_try_advisory_lock(${LOCK}) AS locked`,
  );
  if (rows[0]?.locked === true) return false;
  // A stranger can get the lock while this session waits, so the holders are read again.
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    const { rows: holders } = await client.query<LockHolder>(LOCK_HOLDERS);
    refuseStrangers(holders, log);
    if (waitMs === FIRST_WAIT_MS)
      log.warn({ holders }, 'another job uses the target: this job waits until it ends');
    if (await waitForLock(client, waitMs)) break;
  }
  await client.query("SET lock_timeout = '60s'");
  return true;
}

const FIRST_WAIT_MS = 1_000;
/** The server logs an error after each wait, so later waits are longer. */
const MAX_WAIT_MS = 30_000;

/** @throws SyncJobError target_lock_held with the role of a holder that is not a session of the job's own role */
function refuseStrangers(holders: readonly LockHolder[], log: EngineLog): void {
  const stranger = holders.find(({ is_own }) => !is_own);
  if (stranger === undefined) return;
  log.warn(
    { holders },
    'a session of another role or a prepared transaction holds the lock of the target: this job does not wait for it',
  );
  const failure = { code: 'target_lock_held', side: 'target' } as const;
  const problem = { ...failure, ...sqlNames({ objectRole: stranger.role ?? '' }) };
  throw new SyncJobError({ ...failure, problems: [problem], problemCount: 1 });
}

/** @returns false if the lock was not released within the time */
async function waitForLock(client: Client, timeoutMs: number): Promise<boolean> {
  try {
    await client.query(`SET lock_timeout = ${timeoutMs}; SELECT pg_catalog.pg_advisory_lock(${LOCK})`);
    return true;
  } catch (error) {
    if (sqlstateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** A session, or a prepared transaction, which has no process. */
interface LockHolder {
  pid: number | null;
  /** The `application_name` of the session. */
  name: string | null;
  /** The name of the prepared transaction. */
  transaction: string | null;
  role: string | null;
  /** True for a session of the job's own role. */
  is_own: boolean;
}

/** Finds a prepared transaction by the lock on its own transaction id. */
const LOCK_HOLDERS = `
  SELECT l.pid, a.application_name AS name, p.gid AS transaction, coalesce(a.usename, p.owner) AS role,
         (a.usename IN (current_user, session_user)) IS TRUE AS is_own
    FROM pg_catalog.pg_locks l
    LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
    LEFT JOIN pg_catalog.pg_locks x
      ON l.pid IS NULL AND x.pid IS NULL AND x.locktype = 'transactionid' AND x.virtualtransaction = l.virtualtransaction
    LEFT JOIN pg_catalog.pg_prepared_xacts p ON p.transaction = x.transactionid
   WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
     AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
     AND (l.classid::int8 << 32 | l.objid::int8) = ${LOCK}
`;
