import type {
  DeliveryStatus,
  RecordedTry,
  SentRequest,
  WebhookDeliveryEntity,
} from '../delivery/webhook-delivery.entity.js';
import type { DisabledReason, WebhookEndpointEntity } from './webhook-endpoint.entity.js';
import type { WebhookEventType } from '../events/webhook-event.js';

export interface WebhookResponse {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: DisabledReason | null;
  readonly disabled_at: string | null;
  /** When attempts started to fail; null after a success. */
  readonly failing_since: string | null;
  /** When the previous secret expires; null if there is none. */
  readonly previous_secret_expires_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The only responses that show the secret. */
export interface WebhookWithSecretResponse extends WebhookResponse {
  readonly secret: string;
}

export function toWebhookResponse(endpoint: WebhookEndpointEntity, now: Date): WebhookResponse {
  const { previousSecretExpiresAt: previous } = endpoint;
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    status: endpoint.disabledAt === null ? 'enabled' : 'disabled',
    disabled_reason: endpoint.disabledReason,
    disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    previous_secret_expires_at: previous !== null && previous > now ? previous.toISOString() : null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

export interface DeliveryResponse {
  readonly id: string;
  readonly webhook_id: string;
  /** The header `webhook-id` and the `id` in the body of every request of the delivery. */
  readonly event_id: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** The newest attempts, oldest first. */
  readonly tries: readonly RecordedTry[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly delivered_at: string | null;
  readonly resend_of: string | null;
}

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
export interface DeliveryWithRequestResponse extends DeliveryResponse {
  /** The exact body of every request. */
  readonly payload: string;
  readonly last_request: SentRequest | null;
}

/** @param delivery with its event loaded */
export function toDeliveryWithRequestResponse(delivery: WebhookDeliveryEntity): DeliveryWithRequestResponse {
  return {
    ...toDeliveryResponse(delivery),
    payload: delivery.event?.body ?? '',
    last_request: delivery.lastRequest,
  };
}
