import { meets } from '../choice/agent-requirement.js';
import type { WorkTable } from './leased-work.js';

/**
 * Selects waiting work. Returns up to $1 rows for each organisation, so that an organisation without agents
 * does not hide the work of others. Work that had at least one lease comes first. The dispatcher must check
 * such work regularly, because the dispatcher ends it if no connected agent has matched it for too long.
 */
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
    ORDER BY epoch = 0, created_at, id
    LIMIT $1
  ) AS waiting`;
}

/** Selects the oldest waiting work that an agent may run. $1 = agent, $2 = maximum number of rows. */
export function waitingWorkForAgent(table: WorkTable): string {
  return `
  SELECT work.id
  FROM agents AS agent JOIN ${table} AS work ON work.organization_id = agent.organization_id
  WHERE agent.id = $1 AND agent.revoked_at IS NULL
    AND work.status IN ('pending', 'running') AND work.lease_expires_at IS NULL
    AND (work.sealed_to IS NULL OR agent.id = ANY (work.sealed_to)) AND ${meets('work.requires')}
  ORDER BY work.created_at, work.id
  LIMIT $2`;
}
