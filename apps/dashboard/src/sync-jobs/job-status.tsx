import type { ListedSyncJob, SyncJob } from '@understudy/client';
import { Badge, StatusBadge } from '@understudy/ui';

import { NamedStatus } from '../work/named-status.js';
import { TEXTS } from './texts.js';

/** The status of a job, or what a completed dry run has found. */
export function JobStatusBadge({ job }: { readonly job: ListedSyncJob | SyncJob }) {
  if (job.prediction) {
    const { ok, problem_count: count } = job.prediction;
    return <StatusBadge status={ok ? 'succeeded' : 'warning'} label={TEXTS.problems(count)} />;
  }
  return <NamedStatus status={statusOf(job)} labels={TEXTS.statuses} />;
}

/** The mark of a job that only runs checks. */
export function DryRunBadge({ job }: { readonly job: ListedSyncJob | SyncJob }) {
  return job.dry_run && <Badge>{TEXTS.dryRun}</Badge>;
}

function statusOf(job: ListedSyncJob | SyncJob): string {
  if (job.error_code === 'cancelled') return 'cancelled';
  return job.cancel_requested_at !== null && job.status === 'running' ? 'cancelling' : job.status;
}
