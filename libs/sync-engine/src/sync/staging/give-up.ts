import type { Client } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { readEpoch } from './staging-ledger.js';
import type { JobAttempt } from './staging-names.js';

/**
 * Rolls back what an attempt could not finish on the target, and says why: a takeover changes the row and ends sessions, and what a
 * statement or the fence then complains of is a consequence.
 * @throws SyncJobError lease_lost when a later attempt has the job, connection_lost when the session ended after the error · `error` else
 */
export async function giveUp(client: Client, { jobId, epoch }: JobAttempt, error: unknown): Promise<never> {
  await client.query('ROLLBACK').catch(() => undefined);
  const found = await readEpoch(client, jobId).catch((failure: unknown) => {
    if (failure instanceof SyncJobError) throw failure;
    throw new SyncJobError({ code: 'connection_lost', side: 'target' }, { cause: error });
  });
  if (found !== undefined && found <= epoch) throw error;
  throw new SyncJobError({ code: 'lease_lost' }, { cause: error });
}
