import { nameOf } from '@understudy/agent-protocol';

import { mismatchOf, SNAPSHOTS, type AgentProfile, type AgentRequirement } from './agent-requirement.js';

/**
 * Describes a database name that agents offer with different servers, policies or masking keys. Compares only agents
 * that the caller selected, if any, and that have the snapshot store of the work.
 * @returns undefined if there is no such name, or the work is bound to what some agents offer
 */
export function ambiguityOf(requires: AgentRequirement, live: readonly AgentProfile[]): string | undefined {
  if (requires.maskingKey !== undefined) return undefined;
  const { opens = [] } = requires;
  const conditions = {
    requires: { ...requires, capabilities: undefined, opens: opens.filter((key) => key === SNAPSHOTS) },
    sealedTo: null,
  };
  const agents = live.filter((agent) => mismatchOf(agent, conditions) === undefined);
  for (const key of opens) {
    const name = nameOf(key);
    const differs = name === undefined ? undefined : differenceOf(key, agents);
    if (differs === undefined) continue;
    return `Connected agents offer the database "${name}" with different ${differs}. Choose one of them by its id with the field agent, or give the agents the same masking key and the same policy.`;
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
