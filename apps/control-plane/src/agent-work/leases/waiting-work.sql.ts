import { meets } from '../choice/agent-requirement.js';
import type { WorkTable } from './leased-work.js';

/**
 * Work that nobody does, of each organisation, so that one without agents does not hide the others'. Work that was begun comes first: it may
 * have to be given up. $1 = per organisation.
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
    ORDER BY attempts = 0, created_at, id
    LIMIT $1
  ) AS waiting`;
}

/** The oldest waiting work that an agent may do. $1 = agent, $2 = how many. */
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
