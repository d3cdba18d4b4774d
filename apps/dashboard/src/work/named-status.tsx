import { StatusBadge, type Status } from '@understudy/ui';

/** The kinds of the statuses of agents, jobs, tables, snapshots, restores and deliveries. */
const KINDS: Readonly<Record<string, Status>> = {
  pending: 'waiting',
  waiting: 'waiting',
  deleting: 'waiting',
  running: 'running',
  creating: 'running',
  copying: 'running',
  indexing: 'running',
  verifying: 'running',
  completed: 'succeeded',
  ready: 'succeeded',
  delivered: 'succeeded',
  live: 'succeeded',
  away: 'warning',
  failed: 'failed',
  cancelling: 'cancelled',
  cancelled: 'cancelled',
  expired: 'inactive',
  revoked: 'inactive',
};

/** A status of the API as icon and word. A status of a later version is shown as it is. */
export function NamedStatus({
  status,
  labels,
}: {
  readonly status: string;
  readonly labels: Readonly<Record<string, string>>;
}) {
  return <StatusBadge status={KINDS[status] ?? 'inactive'} label={labels[status] ?? status} />;
}
