/** Jobs nobody works on, the oldest of each organisation, so that one without agents does not hide the others'. $1 = per organisation. */
export const WAITING_JOBS = `
  SELECT waiting.id
  FROM (
    SELECT DISTINCT organization_id FROM sync_jobs
    WHERE status IN ('pending', 'running') AND lease_expires_at IS NULL
  ) AS organization
  CROSS JOIN LATERAL (
    SELECT id FROM sync_jobs
    WHERE organization_id = organization.organization_id
      AND status IN ('pending', 'running') AND lease_expires_at IS NULL
    ORDER BY created_at, id
    LIMIT $1
  ) AS waiting`;

/** The oldest waiting jobs that an agent's organisation has. $1 = agent, $2 = how many. */
export const WAITING_JOBS_FOR_AGENT = `
  SELECT id FROM sync_jobs
  WHERE organization_id = (SELECT organization_id FROM agents WHERE id = $1 AND revoked_at IS NULL)
    AND status IN ('pending', 'running') AND lease_expires_at IS NULL
  ORDER BY created_at, id
  LIMIT $2`;
