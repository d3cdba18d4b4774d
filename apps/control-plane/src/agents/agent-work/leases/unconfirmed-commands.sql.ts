import { isLive } from '../../registry/agent-responses.js';
import type { WorkTable } from './leased-work.js';

/**
 * Selects up to 100 leases for which the agent has not reported any event. The command of such a lease may be
 * lost, because NATS can lose its store. Omits renewed leases of agents without recent heartbeats, because
 * such a lease can last for hours. $1 = milliseconds to wait for the first event.
 */
export function unconfirmedCommands(table: WorkTable): string {
  return `
  SELECT work.id, agent.id AS "agentId"
  FROM ${table} AS work JOIN agents AS agent ON agent.id = work.agent_id
  WHERE work.lease_expires_at > now() AND work.last_seq = 0
    AND work.leased_at < now() - $1 * interval '1 millisecond'
    AND (work.renewed_at IS NULL OR ${isLive('agent.last_seen_at')})
  ORDER BY work.leased_at
  LIMIT 100`;
}
