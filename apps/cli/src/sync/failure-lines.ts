import { failureError, LOCAL_SYNC_WORDING, type Names, type SyncFailure } from '@understudy/sync-job';

/** A failure for the user's eyes: what happened, and each problem at its place in the job file. */
export function failureLines(failure: SyncFailure, names: Names): string {
  const { message, details } = failureError(failure, names, LOCAL_SYNC_WORDING);
  const isSaid = details.length === 1 && details[0]?.message === message;
  const lines = isSaid ? [] : details.map((detail) => `${detail.field}: ${detail.message}`);
  return [message, ...lines].join('\n');
}
