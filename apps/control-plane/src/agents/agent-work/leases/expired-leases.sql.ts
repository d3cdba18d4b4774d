import type { WorkTable } from './leased-work.js';

/**
 * Selects and locks up to 100 rows with an expired lease, or with a lease that its agent cannot or does not renew:
 *
 * - The agent is revoked.
 * - A newer process of the agent does not know the lease.
 * - The heartbeats of the agent have not named the lease for the duration of a lease. This happens if the database is
 *   restored to a time before the work ended.
 *
 * A process that knows the lease from its journal reports its end within the duration of a lease. The lock ensures that
 * only one process reclaims each row. $1 = duration of a lease in milliseconds.
 */
export function expiredLeases(table: WorkTable): string {
  return `
  SELECT work.id, agent.revoked_at IS NOT NULL AS "isRevoked",
    coalesce(agent.instance_since > work.renewed_at, false) AS "isRestarted"
  FROM ${table} AS work LEFT JOIN agents AS agent ON agent.id = work.agent_id
  WHERE work.lease_expires_at IS NOT NULL
    AND (
      work.lease_expires_at <= now()
      OR agent.revoked_at IS NOT NULL
      OR (
        agent.instance_since > work.renewed_at
        AND agent.instance_since <= now() - $1 * interval '1 millisecond'
      )
      OR (
        agent.last_seen_at >= work.renewed_at + $1 * interval '1 millisecond'
        AND agent.last_seen_at >= agent.contact_since + $1 * interval '1 millisecond'
      )
    )
  ORDER BY work.lease_expires_at
  LIMIT 100
  FOR UPDATE OF work SKIP LOCKED`;
}
