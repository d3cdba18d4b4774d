import { byName } from '@understudy/agent-protocol';

import { meets } from '../../agents/agent-work/choice/agent-requirement.js';
import { isLive } from '../../agents/registry/agent-responses.js';

/**
 * Returns a query for a live agent that may use the target of the row `kept`. Agents can have different databases of one
 * name, so it has to be the agent that replaced the target, or one with the same policy.
 * @param absence how long that agent must be away until any other agent may use the target
 */
const able = (order: string, absence: string) => `
  SELECT agent.id FROM agents AS agent
  WHERE agent.organization_id = kept.organization_id
    AND agent.revoked_at IS NULL AND ${isLive('agent.last_seen_at')}
    AND (kept.target ->> 'kind' = 'agent' OR kept.target -> 'by_agent' ? agent.id)
    AND ${meets('kept.requires')}
    AND ((agent.id = kept.agent_id OR agent.offer -> 'policies' ->> ('${byName('')}' || (kept.target ->> 'name')) = kept.policy)
         IS NOT FALSE
      OR NOT EXISTS (SELECT FROM agents AS first WHERE first.id = kept.agent_id AND first.revoked_at IS NULL
                        AND first.last_seen_at > now() - interval '${absence}'))
  ORDER BY ${order} LIMIT 1`;

const SAME_FIRST = '(agent.id = revert.agent_id AND revert.attempts % 20 > 0) DESC NULLS LAST, random()';

/**
 * Selects the kept databases to drop, each with an agent, the oldest first. A database stays while a revert needs it.
 * An agent may be unable to drop a database that is in use, so the command is repeated after some minutes.
 * $1 = limit.
 */
export const DUE_DROPS = `
  SELECT kept.work_id AS "workId", able.id AS "agentId"
  FROM kept_databases AS kept CROSS JOIN LATERAL (${able('random()', '1 day')}) AS able
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
  CROSS JOIN LATERAL (${able(SAME_FIRST, '10 minutes')}) AS able
  WHERE revert.status = 'pending' AND (revert.sent_at IS NULL OR revert.sent_at < now() - interval '30 seconds')
  ORDER BY coalesce(revert.sent_at, revert.created_at), revert.id
  LIMIT $1`;

/** Selects the reverts that no agent has ended within a day. $1 = limit. */
export const EXPIRED_REVERTS = `
  SELECT id FROM sync_job_reverts WHERE status = 'pending' AND created_at < now() - interval '1 day' LIMIT $1`;

/**
 * Deletes a kept database. $1 = its last change, $2 = the agent, which must belong to the organisation, $3 = warnings for
 * its job, as a JSON array.
 */
export const END_DROP = `
  WITH ended AS (
    DELETE FROM kept_databases AS kept USING agents AS agent
    WHERE kept.last_change = $1 AND agent.id = $2 AND agent.organization_id = kept.organization_id
      AND kept.sent_at IS NOT NULL RETURNING kept.work_id
  )
  UPDATE sync_jobs AS job SET warnings = job.warnings || $3::jsonb FROM ended WHERE job.id = ended.work_id`;

/**
 * Selects databases that other work kept on the same target: that of the same agent, or of one with the same policy.
 * $1 = the work, $2 = the organisation, $3 = the name of the target, $4 = the agent, $5 = the fingerprint of its policy.
 */
const SAME_TARGET = `work_id <> $1 AND organization_id = $2 AND target ->> 'name' = $3
    AND (agent_id = $4 OR policy = $5) IS NOT FALSE`;

/** Records that a target was replaced. $6 = when, and the others as in {@link SAME_TARGET}. */
export const MARK_REPLACED = `
  UPDATE kept_databases SET is_last = false
  WHERE ${SAME_TARGET} AND is_last AND (replaced_at < $6) IS NOT FALSE`;

/** Selects a later replacement of a target, which was reported before. The parameters are those of the last query. */
export const LATER_REPLACEMENT = `SELECT FROM kept_databases WHERE ${SAME_TARGET} AND replaced_at >= $6 LIMIT 1`;

/** Records a revert whose job is deleted. $1 = the revert, $2 = the agent, which must belong to the organisation. */
export const END_DELETED_REVERT = `
  UPDATE kept_databases AS kept SET last_change = $1, reverting = NULL FROM agents AS agent
  WHERE kept.reverting = $1 AND agent.id = $2 AND agent.organization_id = kept.organization_id`;

/** Locks a sync job, so that it has one pending revert. $1 = its id, $2 = the organisation. */
export const LOCK_JOB = `SELECT name, status FROM sync_jobs WHERE id = $1 AND organization_id = $2 FOR UPDATE`;

/** Locks a revert. $1 = its id, $2 = an agent, which must belong to the organisation of its job; null for any. */
export const LOCK_REVERT = `
  SELECT revert.id, revert.job_id AS "jobId", revert.status, job.name, revert.organization_id AS "organizationId"
  FROM sync_job_reverts AS revert JOIN sync_jobs AS job ON job.id = revert.job_id
  WHERE revert.id = $1
    AND ($2::text IS NULL OR EXISTS (SELECT FROM agents WHERE id = $2 AND organization_id = revert.organization_id))
  FOR UPDATE OF revert`;
