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
}

/**
 * The agent with the most free slots; ties go to the smaller id.
 * @param candidates live agents that could do the work
 * @returns undefined when none has room: a command sent to a full agent would only wait where its lease runs out
 */
export function chooseAgent<T extends Candidate>(
  candidates: readonly T[],
  since: (agentId: string) => SlotsSince,
): T | undefined {
  const room = (agent: T): number => agent.freeSlots - since(agent.id).taken + since(agent.id).freed;
  return candidates
    .filter((agent) => room(agent) > 0)
    .sort((a, b) => room(b) - room(a) || (a.id < b.id ? -1 : 1))[0];
}
