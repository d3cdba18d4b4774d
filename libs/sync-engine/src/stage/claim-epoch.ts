import { readEpoch } from './ledger/staging-ledger.js';
import type { Client } from '@understudy/postgres';
import { endOlderAttempts, type JobAttempt } from '../session/job-attempt.js';
import { SyncJobError } from '@understudy/sync-job';
import { hasStaging, inStaging } from './own-staging.js';
import { stagingSchema, stagingTable } from './staging-names.js';

/**
 * Claims the job for this epoch. A session that is about to commit under an older one holds the row: it gets two seconds to end,
 * five times at most, and is ended in between.
 * @throws SyncJobError lease_lost when a later attempt was here · staging_untrusted
 */
export async function claimEpoch(client: Client, attempt: JobAttempt): Promise<void> {
  const { jobId, epoch } = attempt;
  const schema = stagingSchema(jobId);
  const table = stagingTable(jobId, 'job');
  if (!(await hasStaging(client, schema))) return;
  const statements = {
    mode: 'ROW EXCLUSIVE',
    before: `SET LOCAL lock_timeout = '${MOMENT_MS}ms';`,
    sql: `UPDATE ${table} SET epoch = ${epoch}, touched_at = pg_catalog.clock_timestamp() WHERE epoch <= ${epoch};
      SELECT FROM ${table} WHERE epoch > ${epoch}`,
  } as const;
  for (let tries = 1; ; tries++) {
    try {
      const later = await inStaging(client, schema, statements);
      // Undefined: removed by its own end in the meantime, so there is nothing to take over.
      if (later !== undefined && later.length > 0) throw new SyncJobError({ code: 'lease_lost' });
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== '55P03' || tries === MAX_TRIES) throw error;
      await endOlderAttempts(client, attempt);
    }
  }
}

const MOMENT_MS = 2_000;
const MAX_TRIES = 5;

/**
 * Rolls back what an attempt could not finish on the target, and says why: a takeover changes the row and ends sessions, and what a
 * statement or the fence then complains of is a consequence.
 * @throws SyncJobError lease_lost when a later attempt has the job, connection_lost when the session ended after the error · `error` else
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
