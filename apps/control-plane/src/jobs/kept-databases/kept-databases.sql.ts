import { meets } from '../../agents/agent-work/choice/agent-requirement.js';
import { isLive } from '../../agents/registry/agent-responses.js';

/** Returns a query for a live agent that may use the target of the row `kept`. */
const able = (order: string) => `
  SELECT agent.id FROM agents AS agent
  WHERE agent.organization_id = kept.organization_id
    AND agent.revoked_at IS NULL AND ${isLive('agent.last_seen_at')}
    AND (kept.target ->> 'kind' = 'agent' OR kept.target -> 'by_agent' ? agent.id)
    AND ${meets('kept.requires')}
  ORDER BY ${order} LIMIT 1`;

const SAME_FIRST = '(agent.id = revert.agent_id AND revert.attempts % 20 > 0) DESC NULLS LAST, random()';

/**
 * Selects the kept databases to drop, each with an agent, the oldest first. A database stays while a revert needs it.
 * An agent may be unable to drop a database that is in use, so the command is repeated after some minutes.
 * $1 = limit.
 */
export const DUE_DROPS = `
  SELECT kept.work_id AS "workId", able.id AS "agentId"
  FROM kept_databases AS kept CROSS JOIN LATERAL (${able('random()')}) AS able
  WHERE kept.kept_until <= now() AND (kept.sent_at IS NULL OR kept.sent_at < now() - interval '2 minutes')
    AND NOT EXISTS (SELECT FROM sync_job_reverts AS revert WHERE revert.job_id = kept.work_id AND revert.status = 'pending')
  ORDER BY coalesce(kept.sent_at, kept.kept_until), kept.work_id
  LIMIT $1`;

/**
 * Selects the reverts to send for the first time or again, each with an agent, the oldest first. Another agent would end
 * the session of the one that waits until the target is unused, so the same one gets the command, except every twentieth
 * time. $1 = limit.
 */
export const DUE_REVERTS = `
  SELECT revert.id AS "revertId", able.id AS "agentId"
  FROM sync_job_reverts AS revert JOIN kept_databases AS kept ON kept.work_id = revert.job_id
  CROSS JOIN LATERAL (${able(SAME_FIRST)}) AS able
  WHERE revert.status = 'pending' AND (revert.sent_at IS NULL OR revert.sent_at < now() - interval '30 seconds')
  ORDER BY coalesce(revert.sent_at, revert.created_at), revert.id
  LIMIT $1`;

/** Selects the reverts that no agent has ended within a day. $1 = limit. */
export const EXPIRED_REVERTS = `
  SELECT id FROM sync_job_reverts WHERE status = 'pending' AND created_at < now() - interval '1 day' LIMIT $1`;

/** Deletes a kept database. $1 = its last change, $2 = the agent, which must belong to the organisation. */
export const END_DROP = `
  DELETE FROM kept_databases AS kept USING agents AS agent
  WHERE kept.last_change = $1 AND agent.id = $2 AND agent.organization_id = kept.organization_id
    AND kept.sent_at IS NOT NULL`;

/** Records that a target was replaced. $1 = the work, $2 = the organisation, $3 = the name of the target. */
export const MARK_REPLACED = `
  UPDATE kept_databases SET is_last = false
  WHERE work_id <> $1 AND organization_id = $2 AND is_last AND target ->> 'name' = $3`;

/** Locks a sync job, so that it has one pending revert. $1 = its id, $2 = the organisation. */
export const LOCK_JOB = `SELECT name, status FROM sync_jobs WHERE id = $1 AND organization_id = $2 FOR UPDATE`;

/** Locks a revert. $1 = its id, $2 = an agent, which must belong to the organisation of its job; null for any. */
export const LOCK_REVERT = `
  SELECT revert.id, revert.job_id AS "jobId", revert.status, job.name, revert.organization_id AS "organizationId"
  FROM sync_job_reverts AS revert JOIN sync_jobs AS job ON job.id = revert.job_id
  WHERE revert.id = $1
    AND ($2::text IS NULL OR EXISTS (SELECT FROM agents WHERE id = $2 AND organization_id = revert.organization_id))
  FOR UPDATE OF revert`;
