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

/** The status of a job. Only a whole job shows that a dry run has found problems. */
export function JobStatusBadge({ job }: { readonly job: ListedSyncJob | SyncJob }) {
  const status = statusOf(job);
  const kind = 'prediction' in job && job.prediction?.ok === false ? 'warning' : KINDS[status];
  return <StatusBadge status={kind ?? 'inactive'} label={TEXTS.statuses[status] ?? status} />;
}

function statusOf(job: ListedSyncJob | SyncJob): string {
  if (job.error_code === 'cancelled') return 'cancelled';
  return job.cancel_requested_at !== null && job.status === 'running' ? 'cancelling' : job.status;
}
