import { type CopiedJob, rowsByTable } from './running-job.js';
import { requireVerified } from './verification/require-verified.js';
import type { VerificationCheck } from '@understudy/sync-job';

/** Compares what was read of both sides. @throws SyncJobError verification_failed */
export function verifyCopy(copied: CopiedJob): readonly VerificationCheck[] {
  const checks = copied.comparison.checks(rowsByTable(copied));
  requireVerified(checks);
  return checks;
}
