import { NOT_TO_FAIL } from './delivery-cleanup.sql.js';

/**
 * A condition for a row named `delivery`: no earlier delivery of the same subject to this endpoint is waiting
 * for its first attempt. First attempts for one subject are thus made in order.
 */
export const IN_ORDER = `(delivery.attempts > 0 OR delivery.subject IS NULL OR NOT EXISTS (
    SELECT FROM webhook_deliveries AS earlier
    WHERE earlier.endpoint_id = delivery.endpoint_id AND earlier.subject = delivery.subject
      AND earlier.status = 'pending' AND earlier.attempts = 0 AND earlier.seq < delivery.seq
  ))`;

/**
 * Selects deliveries that are due. It takes a few of each endpoint, so that an endpoint with many does not
 * delay the others. Endpoints are in random order, so that none is always the last. $1 = limit for each endpoint,
 * $2 = one endpoint, or null for all, $3 = limit.
 */
export const DUE_DELIVERIES = `
  SELECT due.id, due.attempts
  FROM webhook_endpoints AS endpoint
  CROSS JOIN LATERAL (
    SELECT delivery.id, delivery.attempts FROM webhook_deliveries AS delivery
    WHERE delivery.endpoint_id = endpoint.id AND delivery.status = 'pending' AND delivery.next_attempt_at <= now()
      AND (delivery.held_until IS NULL OR delivery.held_until <= now())
      AND ${IN_ORDER} AND ${NOT_TO_FAIL}
    ORDER BY delivery.next_attempt_at, delivery.seq
    LIMIT $1
  ) AS due
  WHERE endpoint.disabled_at IS NULL AND ($2::text IS NULL OR endpoint.id = $2)
  ORDER BY random()
  LIMIT $3`;
