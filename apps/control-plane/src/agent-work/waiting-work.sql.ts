import type { WorkTable } from './leased-work.js';

/** Work that nobody does, the oldest of each organisation, so that one without agents does not hide the others'. $1 = per organisation. */
export function waitingWork(table: WorkTable): string {
  return `
  SELECT waiting.id
  FROM (
    SELECT DISTINCT organization_id FROM ${table}
    WHERE status IN ('pending', 'running') AND lease_expires_at IS NULL
  ) AS organization
  CROSS JOIN LATERAL (
    SELECT id FROM ${table}
    WHERE organization_id = organization.organization_id
      AND status IN ('pending', 'running') AND lease_expires_at IS NULL
    ORDER BY created_at, id
    LIMIT $1
  ) AS waiting`;
}

/** The oldest waiting work that an agent's organisation has. $1 = agent, $2 = how many. */
export function waitingWorkForAgent(table: WorkTable): string {
  return `
  SELECT id FROM ${table}
  WHERE organization_id = (SELECT organization_id FROM agents WHERE id = $1 AND revoked_at IS NULL)
    AND status IN ('pending', 'running') AND lease_expires_at IS NULL
  ORDER BY created_at, id
  LIMIT $2`;
}
