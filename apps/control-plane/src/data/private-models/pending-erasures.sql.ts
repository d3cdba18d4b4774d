/**
 * Selects erasures that were not sent yet, and erasures that were sent more than three minutes ago to an
 * agent that is now `live`. Excludes revoked agents. The oldest erasures come first. $1 = limit.
 */
export const PENDING_ERASURES = `
  SELECT erasure.id
  FROM model_erasures AS erasure JOIN agents AS agent ON agent.id = erasure.agent_id
  WHERE agent.revoked_at IS NULL AND (
    erasure.sent_at IS NULL
    OR agent.last_seen_at > now() - interval '15 seconds' AND erasure.sent_at < now() - interval '3 minutes'
  )
  ORDER BY erasure.requested_at, erasure.id
  LIMIT $1`;
