import { NOT_TO_FAIL } from './delivery-cleanup.sql.js';
import { IN_ORDER } from './due-deliveries.sql.js';

/**
 * Acquires an advisory lock for the deliveries of an organisation. {@link CLAIM_DELIVERY} counts the running
 * deliveries before it claims one, and no other process may claim one in between. $1 = delivery.
 */
export const LOCK_ORGANIZATION = `
  SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || organization_id, 0))
  FROM webhook_deliveries WHERE id = $1`;

/**
 * Claims a delivery for one attempt. $1 = delivery, $2 = now, $3 = end of the claim, $4 and $5 = the maximum
 * number of concurrent deliveries for an endpoint and for an organisation. $6 = whether an operator retries
 * the delivery. For an operator, the statement also claims a delivery that has failed, is not due or is not
 * next in order, and ignores the maximums.
 */
export const CLAIM_DELIVERY = `
  UPDATE webhook_deliveries AS delivery
  SET held_until = $3, status = 'pending', next_attempt_at = coalesce(delivery.next_attempt_at, $2)
  FROM webhook_endpoints AS endpoint, webhook_events AS event
  WHERE delivery.id = $1 AND endpoint.id = delivery.endpoint_id AND event.id = delivery.event_id
    AND endpoint.disabled_at IS NULL AND delivery.status <> 'delivered'
    AND (delivery.held_until IS NULL OR delivery.held_until <= $2)
    AND ($6 OR (
      delivery.status = 'pending' AND delivery.next_attempt_at <= $2 AND ${IN_ORDER} AND ${NOT_TO_FAIL}
      AND (
        SELECT count(*) FROM webhook_deliveries
        WHERE organization_id = delivery.organization_id AND held_until > $2 AND endpoint_id = endpoint.id
      ) < CASE WHEN endpoint.failing_since IS NULL THEN $4::integer ELSE 1 END
      AND (
        SELECT count(*) FROM webhook_deliveries
        WHERE organization_id = delivery.organization_id AND held_until > $2
      ) < $5::integer
    ))
  RETURNING delivery.id, delivery.endpoint_id AS "endpointId", delivery.attempts, delivery.tries, endpoint.url, endpoint.format,
    endpoint.sealed_secret AS "sealedSecret", endpoint.sealed_previous_secret AS "sealedPreviousSecret",
    endpoint.previous_secret_expires_at AS "previousSecretExpiresAt", event.id AS "eventId", event.body`;
