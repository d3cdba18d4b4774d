import { meets } from '../../agent-work/choice/agent-requirement.js';
import { isLive } from '../../agents/agent-responses.js';

/**
 * Cleanups that are to be sent, first or again, the oldest first, and a live agent for each that could retry the job: any of them, as
 * one that cannot reach it must not be the only one asked. Those that no live agent can open keep nobody waiting. $1 = how many.
 */
export const DUE_CLEANUPS = `
  SELECT cleanup.job_id AS "jobId", able.id AS "agentId"
  FROM target_clearances AS cleanup CROSS JOIN LATERAL (
    SELECT agent.id FROM agents AS agent
    WHERE agent.organization_id = cleanup.organization_id
      AND agent.revoked_at IS NULL AND ${isLive('agent.last_seen_at')}
      AND (cleanup.target ->> 'kind' = 'agent' OR cleanup.target -> 'by_agent' ? agent.id)
      AND ${meets('cleanup.requires')}
    ORDER BY random() LIMIT 1
  ) AS able
  WHERE cleanup.sent_at IS NULL OR cleanup.sent_at < now() - interval '30 seconds'
  ORDER BY coalesce(cleanup.sent_at, cleanup.requested_at), cleanup.job_id
  LIMIT $1`;

/** What nobody could clear in a day is left to the next job on that target, and its sealed URL is not kept for longer. */
export const FORGET_OLD_CLEANUPS = `DELETE FROM target_clearances WHERE requested_at < now() - interval '1 day'`;

/** $1 = the job, $2 = the agent that says so: one of the job's own organisation. */
export const END_CLEANUP = `
  DELETE FROM target_clearances AS cleanup USING agents AS agent
  WHERE cleanup.job_id = $1 AND agent.id = $2 AND agent.organization_id = cleanup.organization_id`;
