import { getRouteApi, Link } from '@tanstack/react-router';
import type { Agent, AgentModel } from '@understudy/client';
import {
  Card,
  Code,
  columnsOf,
  CopyField,
  FactsCard,
  Notice,
  PageHeader,
  Table,
  TextLink,
  Time,
} from '@understudy/ui';
import { Ban } from 'lucide-react';

import { client } from '../api/client.js';
import { MutationButton } from '../api/mutation-button.js';
import { QueryState } from '../api/query-state.js';
import { useAllows } from '../session/use-session.js';
import { NamedStatus } from '../work/named-status.js';
import { PolicyCard } from './policy-card.js';
import { useAgent, useAgentModels } from './queries.js';
import { TEXTS } from './texts.js';

const route = getRouteApi('/frame/agents/$agentId');

/** One agent: its health, databases, policy and private models. */
export function AgentPage() {
  const { agentId } = route.useParams();
  const query = useAgent(agentId);
  const { data: agent } = query;
  const mayRevoke = useAllows({ role: 'admin', scope: 'agents:write' });
  const back = { label: TEXTS.back, render: <Link to="/agents" /> };
  if (agent === undefined)
    return (
      <div className="flex flex-col gap-6">
        <PageHeader title={TEXTS.title} back={back} />
        <QueryState query={query} />
      </div>
    );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={<span dir="auto">{agent.name}</span>}
        back={back}
        status={<NamedStatus status={agent.status} labels={TEXTS.statuses} />}
        actions={
          mayRevoke &&
          agent.status !== 'revoked' && (
            <MutationButton
              label={TEXTS.revoke}
              icon={<Ban aria-hidden />}
              {...TEXTS.revocation(agent.name)}
              run={() => client.agents.revoke(agentId)}
              queryKey={['agents']}
            />
          )
        }
      />
      {agent.last_conflict_at !== null && (
        <Notice tone="warning" announce={false} {...TEXTS.conflict}>
          <Time iso={agent.last_conflict_at} />
        </Notice>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <AgentFacts agent={agent} />
        <div className="flex min-w-0 flex-col gap-6">
          <RunningCard agent={agent} />
          <DatabasesCard agent={agent} />
        </div>
      </div>
      <PolicyCard policy={agent.policy} />
      <ModelsCard agentId={agentId} />
    </div>
  );
}

function AgentFacts({ agent }: { readonly agent: Agent }) {
  const { facts } = TEXTS;
  const { snapshot_store: store } = agent;
  const orUnknown = (text: string | null) => text ?? <span className="text-muted">{TEXTS.unknown}</span>;
  return (
    <FactsCard
      texts={facts}
      facts={{
        lastSeen: <Time iso={agent.last_seen_at} format="relative" />,
        version: orUnknown(agent.version),
        slots: TEXTS.slots(agent.free_slots, agent.slots),
        store: orUnknown(store && (TEXTS.stores[store] ?? store)),
        labels: <span dir="auto">{agent.labels.join(', ') || '–'}</span>,
        started: <Time iso={agent.last_started_at} />,
        enrolled: <Time iso={agent.enrolled_at} />,
        id: <Code>{agent.id}</Code>,
        fingerprint: (
          <span className="flex flex-col gap-1">
            <Code>{orUnknown(agent.masking_key_fingerprint)}</Code>
            <span className="text-sm text-muted">{facts.fingerprintHint}</span>
          </span>
        ),
      }}
    />
  );
}

function RunningCard({ agent: { running } }: { readonly agent: Agent }) {
  const { title, none, kinds, since } = TEXTS.running;
  return (
    <Card title={title}>
      {running.length === 0 && <p className="text-muted">{none}</p>}
      <ul className="flex flex-col gap-2">
        {running.map(({ type, id, leased_at: leased }) => (
          <li key={id} className="flex flex-wrap gap-x-2">
            {kinds[type] ?? type} <WorkId type={type} id={id} />
            <span className="text-muted">
              {since} <Time iso={leased} format="relative" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The id of some work, as a link if its page can be found by the id. */
function WorkId({ type, id }: Pick<Agent['running'][number], 'type' | 'id'>) {
  const text = <code className="font-mono text-sm break-all">{id}</code>;
  if (type === 'sync_job')
    return <TextLink render={<Link to="/sync-jobs/$jobId" params={{ jobId: id }} />}>{text}</TextLink>;
  if (type === 'snapshot')
    return (
      <TextLink render={<Link to="/snapshots/$snapshotId" params={{ snapshotId: id }} />}>{text}</TextLink>
    );
  return text;
}

function DatabasesCard({ agent: { databases } }: { readonly agent: Agent }) {
  const { title, text, none, copy } = TEXTS.databases;
  return (
    <Card title={title} text={text}>
      {databases.length === 0 && <p className="text-muted">{none}</p>}
      <div className="flex flex-col gap-3">
        {databases.map((name) => (
          <CopyField key={name} label={copy(name)} value={`agent:${name}`} />
        ))}
      </div>
    </Card>
  );
}

function ModelsCard({ agentId }: { readonly agentId: string }) {
  const query = useAgentModels(agentId);
  const { data } = query;
  const { title, text, none } = TEXTS.models;
  return (
    <Card title={title} text={text} flush={(data?.models.length ?? 0) > 0}>
      <QueryState query={query} lines={2} />
      {data && (
        <Table
          caption={title}
          columns={MODEL_COLUMNS}
          rows={data.models}
          rowKey={({ id }) => id}
          empty={<p className="text-muted">{none}</p>}
        />
      )}
    </Card>
  );
}

const MODEL_COLUMNS = columnsOf<AgentModel>()(TEXTS.models.columns, {
  name: {
    cell: ({ name }) => (
      <span dir="auto" className="break-all">
        {name}
      </span>
    ),
  },
  hash: {
    cell: ({ hash }) => (
      <code className="block truncate font-mono text-xs" title={hash}>
        {hash}
      </code>
    ),
  },
  trained: { width: '9rem', cell: ({ trained_at: trained }) => <Time iso={trained} format="relative" /> },
});
