/** $1 = endpoint. */
export const RECORD_SUCCESS = `
  UPDATE webhook_endpoints SET failing_since = NULL
  WHERE id = $1 AND failing_since IS NOT NULL AND disabled_at IS NULL`;

/** Disables an endpoint on which everything has failed since $3. $1 = endpoint, $2 = now. */
export const RECORD_FAILURE = `
  UPDATE webhook_endpoints
  SET failing_since = coalesce(failing_since, $2),
    disabled_at = CASE WHEN failing_since <= $3 THEN $2::timestamptz END,
    disabled_reason = CASE WHEN failing_since <= $3 THEN 'failing' END
  WHERE id = $1 AND disabled_at IS NULL
  RETURNING disabled_at IS NOT NULL AS disabled, organization_id AS "organizationId"`;

/** Only if nobody else has recorded this try. $1 = delivery, $2 = tries before it. */
export const RECORD_TRY = `
  UPDATE webhook_deliveries
  SET attempts = attempts + 1, tries = $3, status = $4, next_attempt_at = $5, delivered_at = $6, held_until = NULL
  WHERE id = $1 AND attempts = $2`;

/** What an endpoint that was disabled would still have got. $1 = endpoint. */
export const FAIL_PENDING = `
  UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, held_until = NULL
  WHERE endpoint_id = $1 AND status = 'pending'`;

/** $1 = older than that. */
export const FORGET_EVENTS = `
  DELETE FROM webhook_events WHERE id IN (
    SELECT event.id FROM webhook_events AS event
    WHERE event.created_at < $1
      AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = event.id AND status = 'pending')
    ORDER BY event.created_at
    LIMIT 1000
  )`;
