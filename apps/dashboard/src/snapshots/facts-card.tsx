import type { Snapshot } from '@understudy/client';
import { Code, Count, FactsCard, Time } from '@understudy/ui';

import { AgentLink, selectedAgents } from '../work/agents.js';
import { TEXTS } from './texts.js';

const { facts } = TEXTS;

/** The facts about a snapshot, except for its progress and its tables. */
export function SnapshotFacts({ snapshot }: { readonly snapshot: Snapshot }) {
  const { server_version: version } = snapshot;
  return (
    <FactsCard
      texts={facts}
      columns={2}
      facts={{
        id: <Code>{snapshot.id}</Code>,
        database: <span dir="auto">{snapshot.database}</span>,
        version: version && facts.versionHint(versionText(version)),
        attempts: <Count count={snapshot.attempts} />,
        agent: <AgentLink agentId={snapshot.agent_id} />,
        selected: selectedAgents(snapshot.agent),
        created: <Time iso={snapshot.created_at} />,
        started: <Time iso={snapshot.started_at} />,
        ended: <Time iso={snapshot.completed_at} />,
        expires: <Time iso={snapshot.expires_at} />,
      }}
    />
  );
}

/** Returns a `server_version_num` as PostgreSQL 10 and newer write it, for example `17.6`. */
function versionText(version: number): string {
  return `${Math.floor(version / 10_000)}.${version % 10_000}`;
}
