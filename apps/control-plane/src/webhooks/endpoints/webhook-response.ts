import { Type } from 'typebox';

import {
  id,
  instant,
  named,
  nullable,
  nullableInstant,
  oneOf,
  type ResponseOf,
} from '../../platform/http/operations/schemas.js';
import { WEBHOOK_EVENT_TYPES } from '../events/webhook-event.js';
import { WEBHOOK_FORMATS } from '../formats/webhook-format.js';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity.js';
import { FORMAT_DESCRIPTION } from './webhooks.dto.js';

export const WebhookResponse = named('Webhook', {
  id: id('wh', 'Id of the webhook.'),
  url: Type.String({ description: 'The URL to which requests are sent.' }),
  events: Type.Array(oneOf(WEBHOOK_EVENT_TYPES, 'An event that is sent to the webhook.')),
  format: oneOf(WEBHOOK_FORMATS, FORMAT_DESCRIPTION),
  status: oneOf(['enabled', 'disabled'], 'A disabled webhook receives no requests.'),
  disabled_reason: nullable(
    oneOf(
      ['failing', 'gone', 'manual'],
      '`failing`: every attempt failed for five days. `gone`: the receiver responded with 410. `manual`: a user disabled the webhook.',
    ),
    'Why the webhook is disabled; null while it is enabled.',
  ),
  disabled_at: nullableInstant('When the webhook was disabled; null while it is enabled.'),
  failing_since: nullableInstant('Time from which on every attempt has failed; null after a success.'),
  previous_secret_expires_at: nullableInstant(
    'Time at which the previous secret stops signing requests; null without a previous secret.',
  ),
  created_at: instant('When the webhook was created.'),
  updated_at: instant('When the webhook was last changed.'),
});
export type WebhookResponse = ResponseOf<typeof WebhookResponse>;

export const WebhookWithSecretResponse = named('WebhookWithSecret', {
  ...WebhookResponse.properties,
  secret: Type.String({ description: 'The secret that signs requests. Only this response shows it.' }),
});
export type WebhookWithSecretResponse = ResponseOf<typeof WebhookWithSecretResponse>;

export function toWebhookResponse(endpoint: WebhookEndpointEntity, now: Date): WebhookResponse {
  const { previousSecretExpiresAt: previous } = endpoint;
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    format: endpoint.format,
    status: endpoint.disabledAt === null ? 'enabled' : 'disabled',
    disabled_reason: endpoint.disabledReason,
    disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    previous_secret_expires_at: previous !== null && previous > now ? previous.toISOString() : null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}
