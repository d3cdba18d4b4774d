import { MAX_AGENT_SLOTS } from '@understudy/sync-job';

export interface Candidate {
  readonly id: string;
  /** The number of free slots in the agent's last heartbeat. */
  readonly freeSlots: number;
}

/** Changes to an agent's slots since its last heartbeat. */
export interface SlotsSince {
  /** Number of leases that the agent received but that are possibly missing in its last heartbeat. */
  readonly taken: number;
  /** Number of leases that the last heartbeat included, but whose work has ended since. */
  readonly freed: number;
  /** Number of all leases that the agent holds now. */
  readonly held: number;
}

/**
 * Chooses the agent with the most free slots. Of several such agents, chooses the one with the smallest id.
 * An agent never gets more than MAX_AGENT_SLOTS leases, even if it reports more free slots.
 * @param candidates live agents that may run the work
 * @returns undefined if no agent has a free slot. A full agent would only queue the command until the lease expires.
 */
export function chooseAgent<T extends Candidate>(
  candidates: readonly T[],
  since: (agentId: string) => SlotsSince,
): T | undefined {
  const room = (agent: T): number => {
    const { taken, freed, held } = since(agent.id);
    return Math.min(agent.freeSlots - taken + freed, MAX_AGENT_SLOTS - held);
  };
  return candidates
    .filter((agent) => room(agent) > 0)
    .sort((a, b) => room(b) - room(a) || (a.id < b.id ? -1 : 1))[0];
}
