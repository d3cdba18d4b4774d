import type { Agent } from '@understudy/client';

/** The state of an organisation before an agent can work on a database that is chosen by its name. */
export type Readiness = 'no_agent' | 'no_database' | 'ready';

/**
 * Returns what is missing. A revoked agent never works again. Work waits for an agent that is away.
 */
export function readinessOf(agents: readonly Pick<Agent, 'status' | 'databases'>[]): Readiness {
  const current = agents.filter(({ status }) => status !== 'revoked');
  if (current.length === 0) return 'no_agent';
  return current.some(({ databases }) => databases.length > 0) ? 'ready' : 'no_database';
}

export interface OfferedDatabase {
  /** `agent:<name>` */
  readonly value: string;
  /** The names of the agents that offer it. */
  readonly agents: readonly string[];
}

/** Returns the databases that agents offer, by name. */
export function offeredDatabases(
  agents: readonly Pick<Agent, 'name' | 'status' | 'databases'>[],
): readonly OfferedDatabase[] {
  const offered = new Map<string, string[]>();
  for (const { name, databases } of agents.filter(({ status }) => status !== 'revoked'))
    for (const database of databases) offered.set(database, [...(offered.get(database) ?? []), name]);
  return [...offered].sort().map(([name, names]) => ({ value: `agent:${name}`, agents: names }));
}
