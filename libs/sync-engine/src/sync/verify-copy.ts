import { openTarget } from './attempt-sessions.js';
import { type CopiedJob, type JobDatabases, rowsByTable, type RunningJob } from './running-job.js';
import { requireVerified } from './verification/require-verified.js';
import type { VerificationCheck } from './verification/verification.js';

/** Reads the staged rows, and compares them with the source's. @throws SyncJobError verification_failed */
export async function verifyCopy(
  job: RunningJob,
  copied: CopiedJob,
  databases: JobDatabases,
): Promise<readonly VerificationCheck[]> {
  job.meter.enter('verifying');
  const open = () => openTarget(job, databases);
  const checks = await copied.comparison.compareTarget(open, rowsByTable(copied), job.signal);
  requireVerified(checks);
  return checks;
}
