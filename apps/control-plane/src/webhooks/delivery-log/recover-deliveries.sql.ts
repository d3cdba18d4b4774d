/**
 * Selects the failed deliveries of an endpoint whose events no later delivery has delivered or will try to
 * deliver, oldest first. If several deliveries of one event failed in the range, only the first is selected.
 * The lock prevents the deletion of the events. $1 = endpoint, $2 = first time, $3 = end, or null, $4 = limit.
 */
export const FAILED_DELIVERIES = `
  SELECT failed.id, failed.event_id AS "eventId"
  FROM webhook_deliveries AS failed
  JOIN webhook_events AS event ON event.id = failed.event_id
  WHERE failed.endpoint_id = $1 AND failed.status = 'failed' AND failed.created_at >= $2
    AND ($3::timestamptz IS NULL OR failed.created_at < $3)
    AND NOT EXISTS (
      SELECT FROM webhook_deliveries AS other
      WHERE other.event_id = failed.event_id AND other.endpoint_id = failed.endpoint_id
        AND (other.status <> 'failed'
          OR (other.created_at >= $2 AND (other.created_at, other.id) < (failed.created_at, failed.id)))
    )
  ORDER BY failed.created_at, failed.id
  LIMIT $4
  FOR KEY SHARE OF event`;

/**
 * Creates deliveries that are due now. $1 = organisation, $2 = endpoint, $3 = the time of the request, $4 = their ids,
 * $5 = their events, $6 = the deliveries that they repeat.
 */
export const RESEND_DELIVERIES = `
  INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, created_at, next_attempt_at, resend_of)
  SELECT again.id, $1, $2, again.event_id, $3, now(), again.resend_of
  FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS again (id, event_id, resend_of, position)
  ORDER BY again.position`;
