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
