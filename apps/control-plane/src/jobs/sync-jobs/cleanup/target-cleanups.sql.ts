import { meets } from '../../../agents/agent-work/choice/agent-requirement.js';
import { isLive } from '../../../agents/registry/agent-responses.js';

/**
 * Selects cleanups to send for the first time or again, the oldest first, each with a live agent. The agent
 * is a random one of those that could retry the job, because a fixed one may be unable to reach the target.
 * Cleanups that no live agent can execute are skipped. $1 = limit.
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

/**
 * Deletes cleanups after one day, so that no sealed URL is kept longer. The next job on that target then
 * removes what the failed job left.
 */
export const FORGET_OLD_CLEANUPS = `DELETE FROM target_clearances WHERE requested_at < now() - interval '1 day'`;

/**
 * Deletes a cleanup. $1 = the job, $2 = the agent that acknowledged it, which must belong to the job's
 * organisation.
 */
export const END_CLEANUP = `
  DELETE FROM target_clearances AS cleanup USING agents AS agent
  WHERE cleanup.job_id = $1 AND agent.id = $2 AND agent.organization_id = cleanup.organization_id`;
