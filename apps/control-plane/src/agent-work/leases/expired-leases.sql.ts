import type { WorkTable } from './leased-work.js';

/**
 * Selects and locks up to 100 rows with an expired lease, or with a lease of a revoked agent. The lock ensures
 * that only one process reclaims each row.
 */
export function expiredLeases(table: WorkTable): string {
  return `
  SELECT work.id, agent.revoked_at IS NOT NULL AS "isRevoked"
  FROM ${table} AS work LEFT JOIN agents AS agent ON agent.id = work.agent_id
  WHERE work.lease_expires_at IS NOT NULL
    AND (work.lease_expires_at <= now() OR agent.revoked_at IS NOT NULL)
  ORDER BY work.lease_expires_at
  LIMIT 100
  FOR UPDATE OF work SKIP LOCKED`;
}
