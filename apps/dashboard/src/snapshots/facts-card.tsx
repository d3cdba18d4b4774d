import type { Snapshot } from '@understudy/client';
import { Card, Code, Count, KeyValues, Time } from '@understudy/ui';

import { AgentLink, selectedAgents } from '../work/agents.js';
import { TEXTS } from './texts.js';

const { facts } = TEXTS;

/** The facts about a snapshot, except for its progress and its tables. */
export function FactsCard({ snapshot }: { readonly snapshot: Snapshot }) {
  const { server_version: version } = snapshot;
  return (
    <Card title={facts.title}>
      <KeyValues
        columns={2}
        items={[
          { label: facts.id, value: <Code>{snapshot.id}</Code> },
          { label: facts.database, value: <span dir="auto">{snapshot.database}</span> },
          {
            label: facts.version,
            value: version === null ? null : facts.versionHint(versionText(version)),
          },
          { label: facts.attempts, value: <Count count={snapshot.attempts} /> },
          { label: facts.agent, value: <AgentLink agentId={snapshot.agent_id} /> },
          ...selectedAgents(facts.selected, snapshot.agent),
          { label: facts.created, value: <Time iso={snapshot.created_at} /> },
          { label: facts.started, value: <Time iso={snapshot.started_at} /> },
          { label: facts.ended, value: <Time iso={snapshot.completed_at} /> },
          { label: facts.expires, value: <Time iso={snapshot.expires_at} /> },
        ]}
      />
    </Card>
  );
}

/** Returns a `server_version_num` as PostgreSQL 10 and newer write it, for example `17.6`. */
function versionText(version: number): string {
  return `${Math.floor(version / 10_000)}.${version % 10_000}`;
}
