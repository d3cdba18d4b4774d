import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../../platform/http/operations/operation-description.js';
import {
  count,
  deletedResponse,
  id,
  instant,
  nullable,
  oneOf,
  pageResponse,
} from '../../platform/http/operations/schemas.js';
import { NoBody } from '../../platform/http/dto/empty-request.dto.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { ListDeliveriesQuery } from '../delivery-log/list-deliveries.query.js';
import {
  MAX_RECOVERED,
  RecoverDeliveriesDto,
  type RecoveryResponse,
} from '../delivery-log/recover-deliveries.dto.js';
import { TRY_ERRORS } from '../delivery/post-webhook.js';
import { DELIVERY_STATUSES } from '../delivery/webhook-delivery.entity.js';
import { WEBHOOK_EVENT_TYPES } from '../events/webhook-event.js';
import type {
  DeliveryResponse,
  DeliveryWithRequestResponse,
  WebhookResponse,
  WebhookWithSecretResponse,
} from './webhook-responses.js';
import { ChangeWebhookDto, CreateWebhookDto, RotateWebhookSecretDto } from './webhooks.dto.js';

const nullableInstant = (description: string) => nullable(Type.String({ format: 'date-time' }), description);

const FIELDS = {
  id: id('wh', 'Id of the webhook.'),
  url: Type.String({ description: 'The URL to which requests are sent.' }),
  events: Type.Array(oneOf(WEBHOOK_EVENT_TYPES, 'An event that is sent to the webhook.')),
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
};

const WEBHOOK = schemaOf<WebhookResponse>('Webhook')(Type.Object(FIELDS));

const WEBHOOK_WITH_SECRET = schemaOf<WebhookWithSecretResponse>('WebhookWithSecret')(
  Type.Object({
    ...FIELDS,
    secret: Type.String({ description: 'The secret that signs requests. Only this response shows it.' }),
  }),
);

const DELIVERY_FIELDS = {
  id: id('dlv', 'Id of the delivery.'),
  webhook_id: FIELDS.id,
  event_id: id(
    'evt',
    'The header `webhook-id` of the requests. It is the same for every attempt and for a resent event.',
  ),
  event: Type.String({ description: 'Kind of the event.' }),
  status: oneOf(DELIVERY_STATUSES, '`failed`: the last attempt failed, or the webhook was disabled.'),
  attempts: count('Number of attempts.'),
  tries: Type.Array(
    Type.Object({
      at: instant('When the attempt started.'),
      status_code: nullable(
        Type.Integer(),
        "HTTP status of the receiver's response; null without a response.",
      ),
      error: nullable(
        oneOf(TRY_ERRORS, 'Why the attempt failed.'),
        'Why the attempt failed; null for a successful attempt.',
      ),
      duration_ms: count('Duration of the attempt in milliseconds.'),
    }),
    { description: 'The newest twenty attempts, oldest first.' },
  ),
  next_attempt_at: nullableInstant('When the next attempt is planned; null if none is.'),
  created_at: instant('When the delivery was created.'),
  delivered_at: nullableInstant('When the receiver accepted the delivery; null before.'),
  resend_of: nullable(id('dlv', ''), 'The delivery that this one repeats; null for an original delivery.'),
};

const DELIVERY = schemaOf<DeliveryResponse>('WebhookDelivery')(Type.Object(DELIVERY_FIELDS));

const DELIVERY_WITH_REQUEST = schemaOf<DeliveryWithRequestResponse>('WebhookDeliveryWithRequest')(
  Type.Object({
    ...DELIVERY_FIELDS,
    payload: Type.String({
      description: 'The exact body of every request. The signatures cover these bytes.',
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
  }),
);

const RECOVERY = schemaOf<RecoveryResponse>('WebhookRecovery')(
  Type.Object({
    resent: Type.Integer({
      minimum: 0,
      maximum: MAX_RECOVERED,
      description: 'Number of events that are sent again.',
    }),
    has_more: Type.Boolean({
      description: 'Whether failed deliveries remain. Send the request again to send them.',
    }),
  }),
);

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
    response: pageResponse('A page of webhooks.', 'webhooks', WEBHOOK, EXAMPLE),
  },
  createWebhook: {
    tag: 'Webhooks',
    description:
      'Each event is sent as a POST of `{id, event, timestamp, data}`, signed with the secret in this response. `X-Service-Signature` is the HMAC-SHA256 of the raw body in lower-case hex. The three headers of Standard Webhooks are sent, too.',
    body: CreateWebhookDto,
    example: { body: { url: EXAMPLE.url, events: EXAMPLE.events } },
    response: {
      description: 'The webhook, with its secret.',
      data: WEBHOOK_WITH_SECRET,
      example: SECRET_EXAMPLE,
    },
    refusals: ['limit_exceeded'],
  },
  getWebhook: { tag: 'Webhooks', response: { description: 'The webhook.', data: WEBHOOK, example: EXAMPLE } },
  changeWebhook: {
    tag: 'Webhooks',
    description:
      'Disabling a webhook fails its pending deliveries. Events that occur while it is disabled are not sent later.',
    body: ChangeWebhookDto,
    example: { body: { events: ['sync.failed'] } },
    response: {
      description: 'The webhook.',
      data: WEBHOOK,
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
      data: WEBHOOK_WITH_SECRET,
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
      data: DELIVERY,
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
    response: pageResponse('A page of deliveries.', 'deliveries', DELIVERY, DELIVERY_EXAMPLE),
  },
  getWebhookDelivery: {
    tag: 'Webhooks',
    description: 'Shows the exact body, and the URL and headers of the newest attempt.',
    response: {
      description: 'The delivery, with what was sent.',
      data: DELIVERY_WITH_REQUEST,
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
      data: DELIVERY,
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
      data: RECOVERY,
      example: { resent: 12, has_more: false },
    },
    refusals: ['conflict'],
  },
} satisfies Record<string, OperationDescription>;
