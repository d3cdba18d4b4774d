/**
 * Plans the failure of all deliveries that an endpoint has now. It takes effect even if the endpoint is enabled
 * before {@link FAIL_PENDING} has reached them. $1 = endpoint.
 */
export const PLAN_FAILURE = `
  UPDATE webhook_endpoints SET fails_through = (SELECT last_value FROM webhook_deliveries_seq_seq) WHERE id = $1`;

/** A condition for rows named `endpoint` and `delivery`: {@link PLAN_FAILURE} did not apply to the delivery. */
export const NOT_TO_FAIL = 'delivery.seq > coalesce(endpoint.fails_through, 0)';

/**
 * Fails pending deliveries of disabled endpoints, and those whose failure is planned. No process attempts them. $1 =
 * one endpoint, or null for all, $2 = limit.
 */
export const FAIL_PENDING = `
  UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, held_until = NULL
  WHERE id IN (
    SELECT pending.id
    FROM webhook_endpoints AS endpoint
    CROSS JOIN LATERAL (
      SELECT delivery.id FROM webhook_deliveries AS delivery
      WHERE delivery.endpoint_id = endpoint.id AND delivery.status = 'pending'
        AND (endpoint.disabled_at IS NOT NULL OR NOT ${NOT_TO_FAIL})
      LIMIT $2 FOR UPDATE SKIP LOCKED
    ) AS pending
    WHERE (endpoint.disabled_at IS NOT NULL OR endpoint.fails_through IS NOT NULL)
      AND ($1::text IS NULL OR endpoint.id = $1)
    LIMIT $2
  )`;

/** Removes the plans of {@link PLAN_FAILURE} that are carried out. A newer plan of an endpoint is kept. */
export const END_PLANS = `
  UPDATE webhook_endpoints AS endpoint SET fails_through = NULL
  FROM webhook_endpoints AS seen
  WHERE seen.id = endpoint.id AND seen.fails_through = endpoint.fails_through
    AND NOT EXISTS (
      SELECT FROM webhook_deliveries AS delivery
      WHERE delivery.endpoint_id = seen.id AND delivery.status = 'pending' AND delivery.seq <= seen.fails_through
    )`;

/** Deletes deliveries of deleted endpoints. $1 = limit. */
export const DELETE_DELIVERIES = `
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT owned.id
    FROM webhook_endpoints AS endpoint
    CROSS JOIN LATERAL (
      SELECT delivery.id FROM webhook_deliveries AS delivery
      WHERE delivery.endpoint_id = endpoint.id LIMIT $1 FOR UPDATE SKIP LOCKED
    ) AS owned
    WHERE endpoint.deleted_at IS NOT NULL
    LIMIT $1
  )`;

/** Deletes the rows of deleted endpoints that have no deliveries left. */
export const DELETE_ENDPOINTS = `
  DELETE FROM webhook_endpoints AS endpoint
  WHERE endpoint.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id)`;

/** Deletes ended deliveries of events that are older than $1 milliseconds. $2 = limit. */
export const FORGET_DELIVERIES = `
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT ended.id
    FROM webhook_events AS event
    CROSS JOIN LATERAL (
      SELECT delivery.id FROM webhook_deliveries AS delivery
      WHERE delivery.event_id = event.id AND delivery.status <> 'pending' LIMIT $2 FOR UPDATE SKIP LOCKED
    ) AS ended
    WHERE event.created_at < now() - $1 * interval '1 millisecond'
    LIMIT $2
  )`;

/** Deletes events that are older than $1 milliseconds and have no deliveries. $2 = limit. */
export const FORGET_EVENTS = `
  DELETE FROM webhook_events WHERE id IN (
    SELECT event.id FROM webhook_events AS event
    WHERE event.created_at < now() - $1 * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = event.id)
    ORDER BY event.created_at
    LIMIT $2
  )`;
