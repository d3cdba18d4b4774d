import { nameOf } from '../../agent-link/messages/agent-heartbeat.js';
import {
  mismatchOf,
  selectorOf,
  SNAPSHOTS,
  type AgentProfile,
  type AgentRequirement,
} from './agent-requirement.js';

/**
 * Describes a database name that agents offer with different servers, policies or masking keys.
 * @returns undefined if there is no such name, the caller selected an agent, or the work is bound to what some agents
 * offer
 */
export function ambiguityOf(requires: AgentRequirement, live: readonly AgentProfile[]): string | undefined {
  if (selectorOf(requires) !== null || requires.maskingKey !== undefined) return undefined;
  const { snapshotStore, opens = [] } = requires;
  const conditions = {
    requires: { snapshotStore, opens: opens.filter((key) => key === SNAPSHOTS) },
    sealedTo: null,
  };
  const agents = live.filter((agent) => mismatchOf(agent, conditions) === undefined);
  for (const key of opens) {
    const name = nameOf(key);
    const differs = name === undefined ? undefined : differenceOf(key, agents);
    if (differs === undefined) continue;
    return `Connected agents offer the database "${name}" with different ${differs}. Choose an agent with the field agent, or give the agents the same masking key and the same policy.`;
  }
  return undefined;
}

/** Returns what differs between the agents that offer a database name; undefined if nothing differs. */
function differenceOf(
  key: string,
  agents: readonly AgentProfile[],
): 'masking keys' | 'servers or policies' | undefined {
  const offers = agents.flatMap(({ offer }) =>
    offer !== null && Object.hasOwn(offer.policies, key) ? [offer] : [],
  );
  if (new Set(offers.map(({ maskingKey }) => maskingKey)).size > 1) return 'masking keys';
  if (new Set(offers.map(({ policies }) => policies[key])).size > 1) return 'servers or policies';
  return undefined;
}
