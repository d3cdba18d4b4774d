import { MAX_AGENT_SLOTS } from '@understudy/sync-job';

export interface Candidate {
  readonly id: string;
  /** As its last heartbeat said. */
  readonly freeSlots: number;
}

/** What happened to an agent's slots that its last heartbeat cannot know yet. */
export interface SlotsSince {
  /** Leases given to it that it has not counted. */
  readonly taken: number;
  /** Work of it that ended. */
  readonly freed: number;
  /** Leases that it holds now. */
  readonly held: number;
}

/**
 * The agent with the most free slots, of which no more than an agent can have are believed; ties go to the smaller id.
 * @param candidates live agents that could do the work
 * @returns undefined when none has room: a command sent to a full agent would only wait where its lease runs out
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
