/**
 * What happened to agents' slots that their last heartbeats cannot know. A lease counts as taken until the agent has
 * reported on it and has sent a heartbeat since. $1 = agents, $2 = when each was last heard of.
 */
export const AGENT_SLOTS_SINCE = `
  SELECT agent.id,
    count(*) FILTER (
      WHERE job.lease_expires_at IS NOT NULL AND (job.last_seq = 0 OR job.leased_at > agent.seen)
    )::integer AS taken,
    count(*) FILTER (WHERE job.completed_at > agent.seen AND job.leased_at <= agent.seen)::integer AS freed
  FROM unnest($1::text[], $2::timestamptz[]) AS agent (id, seen)
  JOIN sync_jobs AS job ON job.agent_id = agent.id
    AND (job.lease_expires_at IS NOT NULL OR job.completed_at > agent.seen)
  GROUP BY agent.id`;
