import type { WorkTable } from './leased-work.js';

/**
 * Selects up to 100 leases for which the agent has not reported any event. The command of such a lease may be
 * lost, because NATS can lose its store. $1 = milliseconds to wait for the first event.
 */
export function unconfirmedCommands(table: WorkTable): string {
  return `
  SELECT id, agent_id AS "agentId" FROM ${table}
  WHERE lease_expires_at > now() AND last_seq = 0 AND leased_at < now() - $1 * interval '1 millisecond'
    AND agent_id IS NOT NULL
  ORDER BY leased_at
  LIMIT 100`;
}
