import type { WorkTable } from './leased-work.js';

/**
 * Renews the leases that a heartbeat lists and returns those that the agent still holds. A released lease is
 * not renewed, because another agent may already receive the work. If the work is cancelled, the agent holds
 * the lease until it reports that the work has ended. A revoked agent renews no lease. $1 = agent, $2 = ids,
 * $3 = epochs, $4 = duration in milliseconds.
 */
export function renewLeases(table: WorkTable): string {
  return `
  UPDATE ${table} AS work
  SET lease_expires_at = now() + $4 * interval '1 millisecond'
  FROM unnest($2::text[], $3::integer[]) AS held (id, epoch)
  WHERE work.id = held.id AND work.epoch = held.epoch AND work.agent_id = $1
    AND work.status IN ('pending', 'running') AND work.lease_expires_at IS NOT NULL
    AND EXISTS (SELECT FROM agents WHERE id = $1 AND revoked_at IS NULL)
  RETURNING work.id AS "jobId", work.epoch, work.cancel_requested_at IS NOT NULL AS cancelled`;
}
