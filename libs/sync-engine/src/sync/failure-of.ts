import { type SyncFailure, SyncJobError } from '@understudy/sync-job';

/** What an attempt that threw has to report. */
export function failureOf(error: unknown, signal: AbortSignal): SyncFailure {
  // Whatever broke after the abort broke because of it.
  if (signal.aborted) {
    return signal.reason instanceof SyncJobError ? signal.reason.failure : { code: 'lease_lost' };
  }
  return error instanceof SyncJobError ? withItsCheck(error.failure) : { code: 'internal' };
}

/** A cell that kept its value fails the job at once, before any other check was made. */
function withItsCheck(failure: SyncFailure): SyncFailure {
  const { code, tableIndex, columnIndex, verification } = failure;
  if (code !== 'verification_failed' || verification !== undefined || tableIndex === undefined)
    return failure;
  const place = columnIndex === undefined ? {} : { columnIndex };
  const check = { kind: 'masked_columns', tableIndex, ...place, ok: false, lookedAt: 1 } as const;
  return { ...failure, verification: { checks: [check] } };
}
