import type { WorkTable } from './leased-work.js';

/**
 * Renews the leases a heartbeat names and returns those that are still the agent's. A lease that has been released is not
 * renewed: the work may be on its way to another agent. What is to be cancelled stays the agent's until it says so. A revoked
 * agent renews nothing.
 * $1 = agent, $2 = ids, $3 = epochs, $4 = milliseconds.
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
