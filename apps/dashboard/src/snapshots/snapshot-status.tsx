import type { ListedSnapshot, Restore, Snapshot } from '@understudy/client';
import { StatusBadge, type Status } from '@understudy/ui';

import { TEXTS } from './texts.js';

const KINDS: Readonly<Record<string, Status>> = {
  waiting: 'waiting',
  creating: 'running',
  ready: 'succeeded',
  failed: 'failed',
  expired: 'inactive',
  deleting: 'waiting',
};

/** The status of a snapshot. Only a whole snapshot shows that it waits for an agent. */
export function SnapshotStatusBadge({ snapshot }: { readonly snapshot: ListedSnapshot | Snapshot }) {
  const isWaiting =
    snapshot.status === 'creating' && 'started_at' in snapshot && snapshot.started_at === null;
  const status = isWaiting ? 'waiting' : snapshot.status;
  return <StatusBadge status={KINDS[status] ?? 'inactive'} label={TEXTS.statuses[status] ?? status} />;
}

const RESTORE_KINDS: Readonly<Record<string, Status>> = {
  pending: 'waiting',
  running: 'running',
  completed: 'succeeded',
  failed: 'failed',
};

export function RestoreStatusBadge({ status }: Pick<Restore, 'status'>) {
  return (
    <StatusBadge
      status={RESTORE_KINDS[status] ?? 'inactive'}
      label={TEXTS.restore.statuses[status] ?? status}
    />
  );
}
