import { getRouteApi, Link } from '@tanstack/react-router';
import type { Restore, Snapshot } from '@understudy/client';
import {
  Button,
  Code,
  Count,
  ErrorNotice,
  FactsCard,
  Notice,
  PageHeader,
  TextLink,
  Time,
} from '@understudy/ui';
import { DatabaseBackup } from 'lucide-react';
import { useState } from 'react';

import { QueryState } from '../../api/query-state.js';
import { useAllows } from '../../session/use-session.js';
import { AgentLink, selectedAgents } from '../../work/agents.js';
import { NamedStatus } from '../../work/named-status.js';
import { RESTORE_PHASES } from '../phases.js';
import { ProgressCard } from '../progress-card.js';
import { useRestore, useSnapshot } from '../queries.js';
import { RestoreDialog } from './restore-dialog.js';
import { TEXTS } from '../texts.js';

const route = getRouteApi('/frame/snapshots/$snapshotId/restores/$restoreId');
const { restore: texts } = TEXTS;

/** One restore: its progress and its result. */
export function RestorePage() {
  const { snapshotId, restoreId } = route.useParams();
  const query = useRestore(snapshotId, restoreId);
  const { data: restore } = query;
  const { data: snapshot } = useSnapshot(snapshotId);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={restore ? <span dir="auto">{texts.titleOf(restore.target_database)}</span> : texts.title}
        back={{ label: texts.back, render: <Link to="/snapshots/$snapshotId" params={{ snapshotId }} /> }}
        status={restore && <NamedStatus status={restore.status} labels={texts.statuses} />}
        actions={
          restore?.status === 'failed' && snapshot?.status === 'ready' && <Again snapshot={snapshot} />
        }
      />
      <QueryState query={query} />
      {restore && (
        <>
          <ResultNotice restore={restore} />
          <ProgressCard
            work={restore}
            phases={RESTORE_PHASES}
            state={STATES[restore.status] ?? 'active'}
            bytes={TEXTS.progress.loaded}
          />
          <RestoreFacts restore={restore} snapshot={snapshot} />
        </>
      )}
    </div>
  );
}

const STATES: Readonly<Record<string, 'done' | 'failed'>> = { completed: 'done', failed: 'failed' };

function Again({ snapshot }: { readonly snapshot: Snapshot }) {
  const mayRestore = useAllows({ role: 'member', scope: 'snapshots:write' });
  const [open, setOpen] = useState(false);
  if (!mayRestore) return null;
  return (
    <>
      <Button icon={<DatabaseBackup aria-hidden />} onClick={() => setOpen(true)}>
        {TEXTS.restoring.again}
      </Button>
      {open && <RestoreDialog snapshot={snapshot} onClose={() => setOpen(false)} />}
    </>
  );
}

function ResultNotice({ restore }: { readonly restore: Restore }) {
  const { status, error, overwrite, target_database: target } = restore;
  if (error)
    return (
      <ErrorNotice
        problem={{ title: texts.failed, text: error.message, remedy: `${texts.code}: ${error.code}` }}
      />
    );
  if (status === 'completed')
    return (
      <Notice tone="success" text={[texts.completed(target), ...(overwrite ? [texts.kept] : [])].join(' ')} />
    );
  return <Notice announce={false} text={status === 'pending' ? texts.waiting : texts.noCancel} />;
}

function RestoreFacts({
  restore,
  snapshot,
}: {
  readonly restore: Restore;
  readonly snapshot: Snapshot | undefined;
}) {
  const { facts } = texts;
  const { id, restore_id: restoreId, agent_id: agentId } = restore;
  return (
    <FactsCard
      texts={facts}
      columns={2}
      facts={{
        id: <Code>{restoreId}</Code>,
        snapshot: (
          <TextLink render={<Link to="/snapshots/$snapshotId" params={{ snapshotId: id }} />}>
            <span dir="auto">{snapshot?.name ?? id}</span>
          </TextLink>
        ),
        target: <span dir="auto">{restore.target_database}</span>,
        overwrite: restore.overwrite ? facts.replaced : facts.refused,
        attempts: <Count count={restore.attempts} />,
        agent: <AgentLink agentId={agentId} />,
        selected: selectedAgents(restore.agent),
        created: <Time iso={restore.created_at} />,
        started: <Time iso={restore.started_at} />,
        ended: <Time iso={restore.completed_at} />,
      }}
    />
  );
}
