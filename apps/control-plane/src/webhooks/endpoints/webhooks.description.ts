import type { OperationDescription } from '../../platform/http/operations/operation-description.js';
import { deletedResponse, pageResponse } from '../../platform/http/operations/schemas.js';
import { NoBody } from '../../platform/http/dto/empty-request.dto.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import {
  DeliveryResponse,
  DeliveryWithRequestResponse,
  RecoveryResponse,
} from '../delivery-log/delivery-response.js';
import { ListDeliveriesQuery } from '../delivery-log/list-deliveries.query.js';
import { MAX_RECOVERED, RecoverDeliveriesDto } from '../delivery-log/recover-deliveries.dto.js';
import { WebhookResponse, WebhookWithSecretResponse } from './webhook-response.js';
import { ChangeWebhookDto, CreateWebhookDto, RotateWebhookSecretDto } from './webhooks.dto.js';

const EXAMPLE = {
  id: 'wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  url: 'https://ci.example.com/hooks/understudy',
  events: ['sync.completed', 'sync.failed'],
  status: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  previous_secret_expires_at: null,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
};
const SECRET_EXAMPLE = { ...EXAMPLE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' };
const DELIVERY_EXAMPLE = {
  id: 'dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  webhook_id: EXAMPLE.id,
  event_id: 'evt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  event: 'sync.completed',
  status: 'pending',
  attempts: 1,
  tries: [{ at: '2026-11-21T09:30:00.120Z', status_code: 503, error: 'http_status', duration_ms: 41 }],
  next_attempt_at: '2026-11-21T09:30:05.210Z',
  created_at: '2026-11-21T09:30:00.000Z',
  delivered_at: null,
  resend_of: null,
};
const NEW_DELIVERY_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  attempts: 0,
  tries: [],
  next_attempt_at: DELIVERY_EXAMPLE.created_at,
};
const DELIVERY_WITH_REQUEST_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  payload:
    '{"id":"evt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E","event":"sync.completed","timestamp":"2026-11-21T09:30:00.000Z","data":{"job_id":"job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E","name":"nightly","rows_processed":1100500,"duration_seconds":7}}',
  last_request: {
    url: EXAMPLE.url,
    headers: {
      'content-type': 'application/json',
      'content-length': '217',
      'user-agent': 'Understudy-Webhooks',
      'X-Service-Signature': '9e107d9d372bb6826bd81d3542a419d6e8d9e6f9c3f1a1a1f2a7c0b5d4e3f2a1',
      'webhook-id': 'evt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
      'webhook-timestamp': '1795253400',
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
  },
};

export const WEBHOOK_DESCRIPTIONS = {
  listWebhooks: {
    tag: 'Webhooks',
    description: 'The newest webhooks come first. Disabled webhooks are included.',
    query: PageQuery,
    response: pageResponse('A page of webhooks.', 'webhooks', WebhookResponse, EXAMPLE),
  },
  createWebhook: {
    tag: 'Webhooks',
    description:
      'Each event is sent as a POST of `{id, event, timestamp, data}`, signed with the secret in this response. `X-Service-Signature` is the HMAC-SHA256 of the raw body in lower-case hex. The three headers of Standard Webhooks are sent, too.',
    body: CreateWebhookDto,
    example: { body: { url: EXAMPLE.url, events: EXAMPLE.events } },
    response: {
      description: 'The webhook, with its secret.',
      data: WebhookWithSecretResponse,
      example: SECRET_EXAMPLE,
    },
    refusals: ['limit_exceeded'],
  },
  getWebhook: {
    tag: 'Webhooks',
    response: { description: 'The webhook.', data: WebhookResponse, example: EXAMPLE },
  },
  changeWebhook: {
    tag: 'Webhooks',
    description:
      'Disabling a webhook fails its pending deliveries. Events that occur while it is disabled are not sent later.',
    body: ChangeWebhookDto,
    example: { body: { events: ['sync.failed'] } },
    response: {
      description: 'The webhook.',
      data: WebhookResponse,
      example: { ...EXAMPLE, events: ['sync.failed'] },
    },
  },
  rotateWebhookSecret: {
    tag: 'Webhooks',
    description:
      'The new secret signs `X-Service-Signature` immediately. Until the previous secret expires, `webhook-signature` contains a signature of each secret.',
    body: RotateWebhookSecretDto,
    example: { body: { overlap_hours: 24 } },
    response: {
      description: 'The webhook, with its new secret.',
      data: WebhookWithSecretResponse,
      example: { ...SECRET_EXAMPLE, previous_secret_expires_at: '2026-11-22T09:30:00.000Z' },
    },
  },
  testWebhook: {
    tag: 'Webhooks',
    description:
      'Sends the test event `{id, event: "webhook.test", timestamp, data: {webhook_id}}`. The subscriptions of the webhook do not matter.',
    body: NoBody,
    example: { body: {} },
    response: {
      description: 'The delivery, before its first attempt.',
      data: DeliveryResponse,
      example: { ...NEW_DELIVERY_EXAMPLE, event: 'webhook.test' },
    },
    refusals: ['conflict'],
  },
  deleteWebhook: {
    tag: 'Webhooks',
    description: 'Deletes a webhook and its deliveries.',
    response: deletedResponse('The webhook is deleted.', EXAMPLE.id),
  },
  listWebhookDeliveries: {
    tag: 'Webhooks',
    description: 'The newest deliveries come first. The log covers thirty days.',
    query: ListDeliveriesQuery,
    example: { query: { status: 'failed' } },
    response: pageResponse('A page of deliveries.', 'deliveries', DeliveryResponse, DELIVERY_EXAMPLE),
  },
  getWebhookDelivery: {
    tag: 'Webhooks',
    description: 'Shows the exact body, and the URL and headers of the newest attempt.',
    response: {
      description: 'The delivery, with what was sent.',
      data: DeliveryWithRequestResponse,
      example: DELIVERY_WITH_REQUEST_EXAMPLE,
    },
  },
  resendWebhookDelivery: {
    tag: 'Webhooks',
    description: 'Sends the same event with the same id and body as a new delivery.',
    body: NoBody,
    example: { body: {} },
    response: {
      description: 'The new delivery, before its first attempt.',
      data: DeliveryResponse,
      example: { ...NEW_DELIVERY_EXAMPLE, resend_of: 'dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3D' },
    },
    refusals: ['conflict'],
  },
  recoverWebhookDeliveries: {
    tag: 'Webhooks',
    description: `Sends the events of failed deliveries again, with the same ids and bodies, as new deliveries. Each event is sent once, oldest first. Events that were delivered to this webhook or are pending are left out. One request sends at most ${MAX_RECOVERED} events; \`has_more\` reports whether others remain.`,
    body: RecoverDeliveriesDto,
    example: { body: { since: '2026-11-21T09:00:00Z', until: '2026-11-21T12:00:00Z' } },
    response: {
      description: 'The number of events that are sent again.',
      data: RecoveryResponse,
      example: { resent: 12, has_more: false },
    },
    refusals: ['conflict'],
  },
} satisfies Record<string, OperationDescription>;
