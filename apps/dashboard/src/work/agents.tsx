import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent, AgentReference } from '@understudy/client';
import { TextLink } from '@understudy/ui';

import { client } from '../api/client.js';
import { useAllows } from '../session/use-session.js';
import { readinessOf, type Readiness } from './readiness.js';

/** The first 100 agents. They stay unknown without permission to list them, and after a failure. */
function useAgentList(): { readonly agents: readonly Agent[] | undefined; readonly isLoading: boolean } {
  const enabled = useAllows({ role: 'viewer', scope: 'agents:read' });
  const { data, isError } = useQuery({
    queryKey: ['agents', 'listed'],
    queryFn: ({ signal }) => client.agents.list({ per_page: 100 }, { signal }),
    enabled,
  });
  return { agents: data?.agents, isLoading: enabled && !isError && data === undefined };
}

/** The first 100 agents. Undefined while they are loading, and empty without permission to list them. */
export function useListedAgents(): readonly Agent[] | undefined {
  const { agents, isLoading } = useAgentList();
  return agents ?? (isLoading ? undefined : []);
}

/** The readiness of the organisation. Undefined while it is loading, and `ready` if the session may not know it. */
export function useReadiness(): Readiness | undefined {
  const { agents, isLoading } = useAgentList();
  if (agents) return readinessOf(agents);
  return isLoading ? undefined : 'ready';
}

/** The name of each agent that `useListedAgents` returns, by id. */
export function useAgentNames(): ReadonlyMap<string, string> {
  return new Map(useListedAgents()?.map(({ id, name }) => [id, name]));
}

/** The name of an agent as a link to its page. Its id if the name is unknown, and a dash without an agent. */
export function AgentLink({ agentId }: { readonly agentId: string | null }) {
  const names = useAgentNames();
  if (agentId === null) return <span className="text-faint">–</span>;
  return (
    <TextLink render={<Link to="/agents/$agentId" params={{ agentId }} />}>
      <span dir="auto">{names.get(agentId) ?? agentId}</span>
    </TextLink>
  );
}

/** Returns which agents may run some work, or undefined if the request did not select them. */
export function selectedAgents(agent: AgentReference | null) {
  if (agent === null) return undefined;
  const parts = [agent.id, agent.name, ...agent.labels].filter((part) => part !== null);
  return <span dir="auto">{parts.join(', ')}</span>;
}
