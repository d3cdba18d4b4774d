/**
 * Clearances that are to be sent, first or again, the oldest first. An agent that got one needs a moment; a target that could not be
 * reached may be back later. $1 = how many.
 */
export const DUE_CLEARANCES = `
  SELECT job_id AS id FROM target_clearances
  WHERE sent_at IS NULL OR sent_at < now() - interval '30 seconds'
  ORDER BY coalesce(sent_at, requested_at), job_id
  LIMIT $1`;

/** What nobody could clear in a day is left to the next job on that target, and its sealed URL is not kept for longer. */
export const FORGET_OLD_CLEARANCES = `DELETE FROM target_clearances WHERE requested_at < now() - interval '1 day'`;

/** $1 = the job, $2 = the agent that says so: one of the job's own organisation. */
export const TARGET_CLEARED = `
  DELETE FROM target_clearances AS clearance USING agents AS agent
  WHERE clearance.job_id = $1 AND agent.id = $2 AND agent.organization_id = clearance.organization_id`;
