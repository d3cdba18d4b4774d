import type { ListedSyncJob, SyncJob } from '@understudy/client';
import { StatusBadge, type Status } from '@understudy/ui';

import { TEXTS } from './texts.js';

const KINDS: Readonly<Record<string, Status>> = {
  pending: 'waiting',
  running: 'running',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  cancelling: 'cancelled',
};

/** The status of a job. Only a whole job shows that it was cancelled, and that a dry run has found problems. */
export function JobStatusBadge({ job }: { readonly job: ListedSyncJob | SyncJob }) {
  const status = statusOf(job);
  const kind = 'prediction' in job && job.prediction?.ok === false ? 'warning' : KINDS[status];
  return <StatusBadge status={kind ?? 'inactive'} label={TEXTS.statuses[status] ?? status} />;
}

function statusOf(job: ListedSyncJob | SyncJob): string {
  if (!('error' in job)) return job.status;
  if (job.error?.code === 'cancelled') return 'cancelled';
  return job.cancel_requested_at !== null && job.status === 'running' ? 'cancelling' : job.status;
}

/** Returns the copied share of the rows in percent, or undefined while it is unknown. */
export function percentOf(done: number, total: number | null): number | undefined {
  if (total === null) return undefined;
  return total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
}

/** Returns how long a job has run, in ms, or undefined if it has not begun. */
export function durationOf(
  { started_at: started, completed_at: ended }: Pick<ListedSyncJob, 'started_at' | 'completed_at'>,
  now: number,
): number | undefined {
  if (started === null) return undefined;
  return Math.max(0, (ended === null ? now : Date.parse(ended)) - Date.parse(started));
}
