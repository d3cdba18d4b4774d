import type { JobDatabase } from './sync-job.js';
import { canOpen } from './waiting-warning.js';

export interface Candidate {
  readonly id: string;
  /** As its last heartbeat said. */
  readonly freeSlots: number;
}

/** What happened to an agent's slots that its last heartbeat cannot know yet. */
export interface SlotsSince {
  /** Leases given to it that it has not counted. */
  readonly taken: number;
  /** Jobs of it that ended. */
  readonly freed: number;
}

/**
 * The live agent with the most free slots that can open the job's databases; ties go to the smaller id.
 * @returns undefined when none has room: a command sent to a full agent would only wait where its lease runs out
 */
export function chooseAgent<T extends Candidate>(
  candidates: readonly T[],
  databases: readonly JobDatabase[],
  since: (agentId: string) => SlotsSince,
): T | undefined {
  const room = (agent: T): number => agent.freeSlots - since(agent.id).taken + since(agent.id).freed;
  return candidates
    .filter((agent) => canOpen(databases, agent.id) && room(agent) > 0)
    .sort((a, b) => room(b) - room(a) || (a.id < b.id ? -1 : 1))[0];
}
