import type { VerificationCheck } from '@understudy/sync-job';
import { OwnRows } from '../stage/switch/own-rows.js';
import { requireVerified } from '../verify/verify-switched.js';
import { type CopiedJob, type JobDatabases, rowsByTable, type RunningJob } from './running-job.js';

/**
 * Compares the rows that were read on both sides.
 * @throws SyncJobError verification_failed. table_altered if the staged rows are no longer those that the job has copied.
 */
export async function verifyCopy(
  { command }: RunningJob,
  copied: CopiedJob,
  { target: { client } }: JobDatabases,
): Promise<readonly VerificationCheck[]> {
  const copiedRows = rowsByTable(copied);
  const checks = [...copied.comparison.checks(copiedRows), ...copied.joins.checks()];
  try {
    return requireVerified(checks).checks;
  } catch (error) {
    const { plans, runsCode, staged } = copied;
    if (runsCode || staged.existing !== undefined) {
      const ownRows = await OwnRows.read(client, command, plans, copiedRows);
      await ownRows.requireStaged(staged.tables);
    }
    throw error;
  }
}
