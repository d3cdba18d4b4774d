/** Ends the failure period of an endpoint. $1 = endpoint. */
export const RECORD_SUCCESS = `
  UPDATE webhook_endpoints SET failing_since = NULL
  WHERE id = $1 AND failing_since IS NOT NULL AND disabled_at IS NULL`;

/**
 * Records a failure. Disables the endpoint if its failure period, which begins now at the latest, began at $3 or
 * earlier. $1 = endpoint, $2 = now, $4 = the reason for disabling.
 */
export const RECORD_FAILURE = `
  UPDATE webhook_endpoints
  SET failing_since = coalesce(failing_since, $2),
    disabled_at = CASE WHEN coalesce(failing_since, $2) <= $3 THEN $2::timestamptz END,
    disabled_reason = CASE WHEN coalesce(failing_since, $2) <= $3 THEN $4 END
  WHERE id = $1 AND disabled_at IS NULL
  RETURNING disabled_at IS NOT NULL AS disabled, organization_id AS "organizationId"`;

/**
 * Records an attempt unless another process has recorded it. $1 = delivery, $2 = attempts before it, $3 =
 * log, $4 = status, $5 = next attempt, $6 = time of delivery, $7 = the request without its body.
 */
export const RECORD_TRY = `
  UPDATE webhook_deliveries
  SET attempts = attempts + 1, tries = $3, status = $4, next_attempt_at = $5, delivered_at = $6, last_request = $7,
    held_until = NULL
  WHERE id = $1 AND attempts = $2`;

/**
 * Fails pending deliveries of disabled endpoints. No process attempts them. $1 = one endpoint, or null for all, $2 =
 * limit.
 */
export const FAIL_PENDING = `
  UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, held_until = NULL
  WHERE id IN (
    SELECT pending.id
    FROM webhook_endpoints AS endpoint
    CROSS JOIN LATERAL (
      SELECT delivery.id FROM webhook_deliveries AS delivery
      WHERE delivery.endpoint_id = endpoint.id AND delivery.status = 'pending' LIMIT $2 FOR UPDATE SKIP LOCKED
    ) AS pending
    WHERE endpoint.disabled_at IS NOT NULL AND ($1::text IS NULL OR endpoint.id = $1)
    LIMIT $2
  )`;

/**
 * The number of deliveries that one {@link FAIL_PENDING} fails. A statement for all could reach the limit on a
 * statement, and the endpoint would never be disabled. The sweep fails the others.
 */
export const FAIL_BATCH = 1_000;

/** Deletes events that are older than $1 milliseconds and have no pending deliveries. */
export const FORGET_EVENTS = `
  DELETE FROM webhook_events WHERE id IN (
    SELECT event.id FROM webhook_events AS event
    WHERE event.created_at < now() - $1 * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = event.id AND status = 'pending')
    ORDER BY event.created_at
    LIMIT 1000
  )`;
