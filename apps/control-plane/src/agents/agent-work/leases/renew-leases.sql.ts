import { offersSame } from '../choice/agent-requirement.js';
import type { WorkTable } from './leased-work.js';

/**
 * Renews the leases that a heartbeat lists and returns those that the agent still holds. Each renewal adds the
 * grace period of the lease. A released lease is not renewed, because another agent may already receive the
 * work. If the work is cancelled, the agent holds the lease until it reports that the work has ended. A
 * revoked agent renews no lease, and neither does a process whose offer does not match the work. Such a process has
 * started since the lease was granted. It has not begun the work, because it waits for the first renewal.
 * $1 = agent, $2 = ids, $3 = epochs, $4 = duration in milliseconds, $5 = age of the snapshot that each work holds in
 * seconds, or null, $6 = offer in the heartbeat.
 */
export function renewLeases(table: WorkTable): string {
  return `
  UPDATE ${table} AS work
  SET lease_expires_at =
        now() + $4 * interval '1 millisecond' + work.grace_seconds * interval '1 second',
      renewed_at = now(),
      snapshot_taken_at = now() - held.snapshot_age * interval '1 second'
  FROM unnest($2::text[], $3::integer[], $5::integer[]) AS held (id, epoch, snapshot_age)
  WHERE work.id = held.id AND work.epoch = held.epoch AND work.agent_id = $1
    AND work.status IN ('pending', 'running') AND work.lease_expires_at IS NOT NULL
    AND ${offersSame('$6::jsonb', 'work.requires')}
    AND EXISTS (SELECT FROM agents WHERE id = $1 AND revoked_at IS NULL)
  RETURNING work.id AS "jobId", work.epoch, work.cancel_requested_at IS NOT NULL AS cancelled`;
}
