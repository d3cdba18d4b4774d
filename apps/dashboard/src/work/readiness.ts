import type { Agent } from '@understudy/client';

/** What an organisation needs before an agent can work on a database that is chosen by its name. */
export type Readiness = 'no_agent' | 'no_database' | 'ready';

/**
 * Returns what is missing. A revoked agent never works again. Work waits for an agent that is away.
 */
export function readinessOf(agents: readonly Pick<Agent, 'status' | 'databases'>[]): Readiness {
  const current = agents.filter(({ status }) => status !== 'revoked');
  if (current.length === 0) return 'no_agent';
  return current.some(({ databases }) => databases.length > 0) ? 'ready' : 'no_database';
}
