import type { WorkTable } from '../leases/leased-work.js';

/**
 * Counts, for each agent, the slots that were taken and freed since its last heartbeat, and all its leases. A
 * new lease counts as a taken slot until the control plane has received both an event about the work and a
 * heartbeat that is newer than the lease. $1 = agents, $2 = time of each agent's last heartbeat.
 */
export function agentSlotsSince(tables: readonly WorkTable[]): string {
  const leased = tables.map(
    (table) => `SELECT agent_id, leased_at, lease_expires_at, last_seq, completed_at FROM ${table}`,
  );
  return `
  SELECT agent.id,
    count(*) FILTER (
      WHERE work.lease_expires_at IS NOT NULL AND (work.last_seq = 0 OR work.leased_at > agent.seen)
    )::integer AS taken,
    count(*) FILTER (WHERE work.completed_at > agent.seen AND work.leased_at <= agent.seen)::integer AS freed,
    count(*) FILTER (WHERE work.lease_expires_at IS NOT NULL)::integer AS held
  FROM unnest($1::text[], $2::timestamptz[]) AS agent (id, seen)
  JOIN (${leased.join(' UNION ALL ')}) AS work ON work.agent_id = agent.id
    AND (work.lease_expires_at IS NOT NULL OR work.completed_at > agent.seen)
  GROUP BY agent.id`;
}
