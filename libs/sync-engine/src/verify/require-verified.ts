import { SyncJobError, type Verification, type VerificationCheck } from '@understudy/sync-job';

/** @throws SyncJobError verification_failed with all checks, at the table of the first that failed */
export function requireVerified(checks: readonly VerificationCheck[]): Verification {
  const failed = checks.find(({ ok }) => !ok);
  if (failed === undefined) return { checks };
  throw new SyncJobError({
    code: 'verification_failed',
    side: 'target',
    tableIndex: failed.tableIndex,
    ...('columnIndex' in failed ? { columnIndex: failed.columnIndex } : {}),
    verification: { checks },
  });
}
