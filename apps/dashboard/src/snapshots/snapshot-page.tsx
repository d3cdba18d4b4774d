import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { NotFoundError, type Snapshot } from '@understudy/client';
import { Button, ErrorNotice, Notice, PageHeader } from '@understudy/ui';
import { Ban, DatabaseBackup, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { QueryState } from '../api/query-state.js';
import { useAllows } from '../session/use-session.js';
import { NamedStatus } from '../work/named-status.js';
import { WarningsNotice } from '../work/warnings-notice.js';
import { SnapshotFacts } from './facts-card.js';
import { SNAPSHOT_PHASES, statusOf } from './phases.js';
import { ProgressCard } from './progress-card.js';
import { useSnapshot } from './queries.js';
import { RestoreDialog } from './restores/restore-dialog.js';
import { RestoresCard } from './restores/restores-card.js';
import { DeleteSnapshotDialog } from './snapshot-actions.js';
import { TablesCard } from './tables-card.js';
import { TEXTS } from './texts.js';

const route = getRouteApi('/frame/snapshots/$snapshotId');
const BACK = { label: TEXTS.title, render: <Link to="/snapshots" /> };

/** One snapshot: its progress, its tables, and what can be done with it. */
export function SnapshotPage() {
  const { snapshotId } = route.useParams();
  const query = useSnapshot(snapshotId);
  const { data: snapshot, error } = query;
  if (snapshot === undefined)
    return (
      <div className="flex flex-col gap-6">
        <PageHeader title={TEXTS.one} back={BACK} />
        <QueryState query={query} />
      </div>
    );
  const isGone = error instanceof NotFoundError;
  return (
    <div className="flex flex-col gap-6">
      <SnapshotHeader snapshot={snapshot} isGone={isGone} />
      {!isGone && <QueryState query={query} />}
      <StateNotices snapshot={snapshot} isGone={isGone} />
      <ProgressCard
        work={snapshot}
        phases={SNAPSHOT_PHASES}
        state={stateOf(snapshot)}
        bytes={TEXTS.progress.rows}
        size={snapshot.size_bytes}
      />
      {snapshot.table_count !== null && <RestoresCard snapshotId={snapshot.id} />}
      <SnapshotFacts snapshot={snapshot} />
      {(snapshot.tables.length > 0 || stateOf(snapshot) !== 'failed') && <TablesCard snapshot={snapshot} />}
    </div>
  );
}

function SnapshotHeader({ snapshot, isGone }: { readonly snapshot: Snapshot; readonly isGone: boolean }) {
  const navigate = useNavigate();
  const mayWrite = useAllows({ role: 'member', scope: 'snapshots:write' });
  const [open, setOpen] = useState<'restore' | 'delete'>();
  const { status } = snapshot;
  const isCreating = status === 'creating';
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHeader
        title={<span dir="auto">{snapshot.name}</span>}
        back={BACK}
        status={!isGone && <NamedStatus status={statusOf(snapshot)} labels={TEXTS.statuses} />}
        meta={<span dir="auto">{snapshot.database}</span>}
        actions={
          mayWrite &&
          !isGone && (
            <>
              {status !== 'deleting' && (
                <Button
                  icon={isCreating ? <Ban aria-hidden /> : <Trash2 aria-hidden />}
                  onClick={() => setOpen('delete')}
                >
                  {isCreating ? TEXTS.cancellation.open : TEXTS.deletion.open}
                </Button>
              )}
              {status === 'ready' && (
                <Button
                  kind="primary"
                  icon={<DatabaseBackup aria-hidden />}
                  onClick={() => setOpen('restore')}
                >
                  {TEXTS.restoring.open}
                </Button>
              )}
            </>
          )
        }
      />
      {open === 'restore' && <RestoreDialog snapshot={snapshot} onClose={close} />}
      {open === 'delete' && (
        <DeleteSnapshotDialog
          snapshot={snapshot}
          onClose={close}
          onDeleted={() => void navigate({ to: '/snapshots' })}
        />
      )}
    </>
  );
}

function StateNotices({ snapshot, isGone }: { readonly snapshot: Snapshot; readonly isGone: boolean }) {
  const { error, status } = snapshot;
  const text = TEXTS.states[isGone ? 'gone' : status];
  const isCancelled = error?.code === 'cancelled';
  return (
    <>
      {text !== undefined && <Notice text={text} announce={isGone} />}
      {error && isCancelled && <Notice announce={false} title={TEXTS.cancelled} text={error.message} />}
      {error && !isCancelled && (
        <ErrorNotice
          problem={{ title: TEXTS.failed, text: error.message, remedy: `${TEXTS.code}: ${error.code}` }}
        />
      )}
      <WarningsNotice warnings={snapshot.warnings} />
    </>
  );
}

/** A snapshot that expired or is deleted can have been ready before, or not. */
function stateOf({ status, error, table_count: count }: Snapshot): 'active' | 'done' | 'failed' {
  if (status === 'ready' || count !== null) return 'done';
  return status === 'creating' && error === null ? 'active' : 'failed';
}
