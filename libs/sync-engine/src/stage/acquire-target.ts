import { lockTarget } from '@understudy/database-swap';
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
 * Acquires and holds the target until the session ends. Ends the sessions of older attempts of this job, which can then no
 * longer commit. If another job uses the target, waits without a time limit until that job ends. Any role can take the
 * lock of the target, also while this session waits. This function waits only for sessions of its own role.
 * @returns undefined if another session replaces the target; see {@link lockTarget}
 * @throws SyncJobError lease_lost if a later attempt has claimed the job · staging_untrusted · target_lock_held
 */
export async function acquireTarget(
  client: Client,
  attempt: JobAttempt,
  maskingKey: Uint8Array,
  log: EngineLog,
): Promise<AcquiredTarget | undefined> {
  // Staged rows may be lost in a crash, so their commits do not wait for the disk. Only the commit of the
  // switch does.
  await client.query('SET synchronous_commit = off');
  await claimEpoch(client, attempt);
  await endOlderAttempts(client, attempt);
  const { waited, isBeingReplaced } = await lockTarget(client, log);
  if (isBeingReplaced) return undefined;
  // Repeated, because the previous lock owner may have created a ledger while this session waited.
  await claimEpoch(client, attempt);
  return { ledger: await readLedgerRow(client, attempt.jobId, maskingKey), waited };
}
