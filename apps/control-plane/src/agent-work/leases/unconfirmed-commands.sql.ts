import type { WorkTable } from './leased-work.js';

/**
 * Work whose agent has said nothing of it since it got the lease: the command may be lost, with the store of NATS.
 * $1 = milliseconds that a command may take.
 */
export function unconfirmedCommands(table: WorkTable): string {
  return `
  SELECT id, agent_id AS "agentId" FROM ${table}
  WHERE lease_expires_at > now() AND last_seq = 0 AND leased_at < now() - $1 * interval '1 millisecond'
    AND agent_id IS NOT NULL
  ORDER BY leased_at
  LIMIT 100`;
}
