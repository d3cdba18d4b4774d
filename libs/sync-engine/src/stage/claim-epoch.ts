import { readEpoch } from './ledger/staging-ledger.js';
import { type Client, sqlstateOf } from '@understudy/postgres';
import { endOlderAttempts, type JobAttempt } from '../session/job-attempt.js';
import { SyncJobError } from '@understudy/sync-job';
import { hasStaging, inStaging } from './own-staging.js';
import { stagingSchema, stagingTable } from './staging-names.js';

/**
 * Claims the job for this epoch: writes the epoch to the job's ledger row. An older attempt may have locked this row
 * to commit. If the row stays locked for two seconds, this function ends the sessions of older attempts and tries
 * again, five times in total. Does not wait for a standby that is not there. Does nothing if the target has no staging
 * of the job.
 * @throws SyncJobError lease_lost if a later attempt has claimed the job · staging_untrusted
 */
export async function claimEpoch(client: Client, attempt: JobAttempt): Promise<void> {
  const { jobId, epoch } = attempt;
  const schema = stagingSchema(jobId);
  const table = stagingTable(jobId, 'job');
  if (!(await hasStaging(client, schema))) return;
  const statements = {
    mode: 'ROW EXCLUSIVE',
    before: `SET LOCAL lock_timeout = '${LOCK_WAIT_MS}ms'; SET LOCAL synchronous_commit = off;`,
    sql: `UPDATE ${table} SET epoch = ${epoch}, touched_at = pg_catalog.clock_timestamp() WHERE epoch <= ${epoch};
      SELECT FROM ${table} WHERE epoch > ${epoch}`,
  } as const;
  for (let tries = 1; ; tries++) {
    try {
      const later = await inStaging(client, schema, statements);
      // `later` is undefined if the staging has just been removed. There is then nothing to claim.
      if (later !== undefined && later.length > 0) throw new SyncJobError({ code: 'lease_lost' });
      return;
    } catch (error) {
      if (sqlstateOf(error) !== '55P03' || tries === MAX_TRIES) throw error;
      await endOlderAttempts(client, attempt);
    }
  }
}

const LOCK_WAIT_MS = 2_000;
const MAX_TRIES = 5;

/**
 * Rolls back an attempt's transaction on the target, and throws the cause of its failure. A later attempt that claims
 * the job changes the ledger row and ends sessions. If that has happened, `error` is only a consequence of it.
 * @throws SyncJobError lease_lost if a later attempt has claimed the job or removed its staging · SyncJobError
 * connection_lost if the session has ended · otherwise `error`
 */
export async function rollBackAndThrow(
  client: Client,
  { jobId, epoch }: JobAttempt,
  error: unknown,
): Promise<never> {
  await client.query('ROLLBACK').catch(() => undefined);
  const found = await readEpoch(client, jobId).catch((failure: unknown) => {
    if (failure instanceof SyncJobError) throw failure;
    throw new SyncJobError({ code: 'connection_lost', side: 'target' }, { cause: error });
  });
  if (found !== undefined && found <= epoch) throw error;
  throw new SyncJobError({ code: 'lease_lost' }, { cause: error });
}
