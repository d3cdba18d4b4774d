import { getRouteApi, Link } from '@tanstack/react-router';
import type { Restore, Snapshot } from '@understudy/client';
import {
  Button,
  Card,
  Code,
  Count,
  ErrorNotice,
  KeyValues,
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
import { RESTORE_PHASES } from '../phases.js';
import { ProgressCard } from '../progress-card.js';
import { useRestore, useSnapshot } from '../queries.js';
import { RestoreDialog } from './restore-dialog.js';
import { RestoreStatusBadge } from '../snapshot-status.js';
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
        status={restore && <RestoreStatusBadge status={restore.status} />}
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
          <FactsCard restore={restore} snapshot={snapshot} />
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

function FactsCard({
  restore,
  snapshot,
}: {
  readonly restore: Restore;
  readonly snapshot: Snapshot | undefined;
}) {
  const { facts } = texts;
  const { id, restore_id: restoreId, agent_id: agentId } = restore;
  return (
    <Card title={facts.title}>
      <KeyValues
        columns={2}
        items={[
          { label: facts.id, value: <Code>{restoreId}</Code> },
          {
            label: facts.snapshot,
            value: (
              <TextLink render={<Link to="/snapshots/$snapshotId" params={{ snapshotId: id }} />}>
                <span dir="auto">{snapshot?.name ?? id}</span>
              </TextLink>
            ),
          },
          { label: facts.target, value: <span dir="auto">{restore.target_database}</span> },
          { label: facts.overwrite, value: restore.overwrite ? facts.replaced : facts.refused },
          { label: facts.attempts, value: <Count count={restore.attempts} /> },
          { label: facts.agent, value: <AgentLink agentId={agentId} /> },
          ...selectedAgents(facts.selected, restore.agent),
          { label: facts.created, value: <Time iso={restore.created_at} /> },
          { label: facts.started, value: <Time iso={restore.started_at} /> },
          { label: facts.ended, value: <Time iso={restore.completed_at} /> },
        ]}
      />
    </Card>
  );
}
