import { Link } from '@tanstack/react-router';
import type { Agent } from '@understudy/client';
import { Button, columnsOf, EmptyState, PageHeader, Table, Time } from '@understudy/ui';
import { Plus, Server } from 'lucide-react';
import { useState } from 'react';

import { QueryState } from '../api/query-state.js';
import { useAllows } from '../session/use-session.js';
import { NamedStatus } from '../work/named-status.js';
import { EnrolDialog } from './enrol-dialog.js';
import { useAgents } from './queries.js';
import { TEXTS } from './texts.js';

/** The agents of the organisation, with their health. */
export function AgentsPage() {
  const agents = useAgents();
  const mayEnrol = useAllows({ role: 'admin', scope: 'agents:write' });
  const [enrolling, setEnrolling] = useState(false);
  const enrol = mayEnrol && (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setEnrolling(true)}>
      {TEXTS.enrol}
    </Button>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta} actions={enrol} />
      <QueryState query={agents} />
      {agents.data && (
        <Table
          caption={TEXTS.caption}
          columns={COLUMNS}
          rows={agents.data.agents}
          rowKey={({ id }) => id}
          rowLink={({ id }) => <Link to="/agents/$agentId" params={{ agentId: id }} />}
          empty={<EmptyState {...TEXTS.empty} icon={<Server />} action={enrol || undefined} />}
        />
      )}
      {agents.data && agents.data.total > agents.data.agents.length && (
        <p className="text-muted">{TEXTS.more(agents.data.agents.length, agents.data.total)}</p>
      )}
      {enrolling && <EnrolDialog onClose={() => setEnrolling(false)} />}
    </div>
  );
}

const COLUMNS = columnsOf<Agent>()(TEXTS.columns, {
  name: {
    cell: ({ name, labels }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate font-medium" dir="auto">
          {name}
        </span>
        {labels.length > 0 && (
          <span className="truncate text-xs text-muted" dir="auto">
            {labels.join(', ')}
          </span>
        )}
      </span>
    ),
  },
  status: { width: '7rem', cell: ({ status }) => <NamedStatus status={status} labels={TEXTS.statuses} /> },
  lastSeen: {
    width: '10rem',
    cell: ({ last_seen_at: seen }) =>
      seen === null ? (
        <span className="text-muted">{TEXTS.never}</span>
      ) : (
        <Time iso={seen} format="relative" />
      ),
  },
  slots: { width: '7rem', align: 'end', cell: ({ free_slots: free, slots }) => TEXTS.slots(free, slots) },
  databases: { width: '7rem', align: 'end', hideBelow: 'md', cell: ({ databases }) => databases.length },
  version: {
    width: '8rem',
    hideBelow: 'lg',
    cell: ({ version }) => version ?? <span className="text-muted">{TEXTS.unknown}</span>,
  },
});
