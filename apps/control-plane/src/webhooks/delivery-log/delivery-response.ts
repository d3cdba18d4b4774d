import { Type } from 'typebox';

import {
  count,
  id,
  instant,
  named,
  nullable,
  nullableInstant,
  oneOf,
  type ResponseOf,
} from '../../platform/http/operations/schemas.js';
import {
  DELIVERY_STATUSES,
  RecordedTry,
  type WebhookDeliveryEntity,
} from '../delivery/webhook-delivery.entity.js';
import { bodyIn } from '../formats/webhook-format.js';
import { MAX_RECOVERED } from './recover-deliveries.dto.js';

export const DeliveryResponse = named('WebhookDelivery', {
  id: id('dlv', 'Id of the delivery.'),
  webhook_id: id('wh', 'Id of the webhook.'),
  event_id: id(
    'evt',
    'The header `webhook-id` of the requests. It is the same for every attempt and for a resent event.',
  ),
  event: Type.String({ description: 'Kind of the event.' }),
  status: oneOf(DELIVERY_STATUSES, '`failed`: the last attempt failed, or the webhook was disabled.'),
  attempts: count('Number of attempts.'),
  tries: Type.Array(RecordedTry, { description: 'The newest twenty attempts, oldest first.' }),
  next_attempt_at: nullableInstant('When the next attempt is planned; null if none is.'),
  created_at: instant('When the delivery was created.'),
  delivered_at: nullableInstant('When the receiver accepted the delivery; null before.'),
  resend_of: nullable(id('dlv', ''), 'The delivery that this one repeats; null for an original delivery.'),
});
export type DeliveryResponse = ResponseOf<typeof DeliveryResponse>;

/** @param delivery with its event loaded */
export function toDeliveryResponse(delivery: WebhookDeliveryEntity): DeliveryResponse {
  return {
    id: delivery.id,
    webhook_id: delivery.endpointId,
    event_id: delivery.eventId,
    event: delivery.event?.type ?? '',
    status: delivery.status,
    attempts: delivery.attempts,
    tries: delivery.tries,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
    resend_of: delivery.resendOf,
  };
}

/** The response for one delivery. Lists omit what was sent. */
export const DeliveryWithRequestResponse = named('WebhookDeliveryWithRequest', {
  ...DeliveryResponse.properties,
  payload: Type.String({
    description:
      'The exact body of the newest attempt, or of the first one if there was none. The signatures cover these bytes.',
  }),
  last_request: nullable(
    Type.Object({
      url: Type.String({ description: 'The URL of the webhook at the time of the attempt.' }),
      headers: Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'All headers with their signatures, except `Host` and `Connection`.',
      }),
    }),
    'The request of the newest attempt; null before the first attempt, or if the secret could not be read.',
  ),
});
export type DeliveryWithRequestResponse = ResponseOf<typeof DeliveryWithRequestResponse>;

/** @param delivery with its event and its webhook loaded */
export function toDeliveryWithRequestResponse(
  delivery: WebhookDeliveryEntity,
  publicUrl: string,
): DeliveryWithRequestResponse {
  const { event, endpoint, lastRequest } = delivery;
  const body = event?.body ?? '';
  return {
    ...toDeliveryResponse(delivery),
    payload: lastRequest
      ? (lastRequest.body ?? body)
      : bodyIn(endpoint?.format ?? 'standard', body, publicUrl),
    last_request: lastRequest && { url: lastRequest.url, headers: lastRequest.headers },
  };
}

export const RecoveryResponse = named('WebhookRecovery', {
  resent: Type.Integer({
    minimum: 0,
    maximum: MAX_RECOVERED,
    description: 'Number of events that are sent again.',
  }),
  has_more: Type.Boolean({
    description: 'Whether failed deliveries remain. Send the request again to send them.',
  }),
});
export type RecoveryResponse = ResponseOf<typeof RecoveryResponse>;
