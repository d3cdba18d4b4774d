import { readChanges } from '@understudy/database-swap';
import type { Client } from '@understudy/postgres';
import type { SyncJobCommand, SyncJobResult } from '@understudy/sync-job';

/**
 * Returns the result of a job that an earlier attempt has completed, if its ledger is gone. A later change has replaced
 * the target, or the result was acknowledged to an attempt that had lost its lease. The job must not run again, because it
 * would replace the result of a later change.
 * @param client a session on the target's server
 */
export async function resultOfReplaced(
  client: Client,
  { jobId }: Pick<SyncJobCommand, 'jobId'>,
  database: string,
): Promise<SyncJobResult | undefined> {
  const changes = await readChanges(client, database);
  return changes.includes(jobId) ? UNKNOWN_RESULT : undefined;
}

/** The ledger had the numbers of rows, the checks and the other warnings. */
const UNKNOWN_RESULT: SyncJobResult = {
  tables: [],
  warnings: [{ code: 'result_unknown' }],
  phases: [],
  verification: { checks: [] },
};
