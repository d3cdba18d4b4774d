import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../../api-description/operation-description.js';
import {
  count,
  deletedAnswer,
  id,
  instant,
  nullable,
  oneOf,
  pageAnswer,
} from '../../api-description/schemas.js';
import { NoBody } from '../../http/dto/empty-request.dto.js';
import { PageQuery } from '../../http/dto/page.dto.js';
import { ListDeliveriesQuery } from '../delivery-log/list-deliveries.query.js';
import { TRY_ERRORS } from '../delivery/post-webhook.js';
import { DELIVERY_STATUSES } from '../delivery/webhook-delivery.entity.js';
import { WEBHOOK_EVENT_TYPES } from '../events/webhook-event.js';
import type { DeliveryResponse, WebhookResponse, WebhookWithSecretResponse } from './webhook-responses.js';
import { ChangeWebhookDto, CreateWebhookDto, RotateWebhookSecretDto } from './webhooks.dto.js';

const nullableInstant = (description: string) => nullable(Type.String({ format: 'date-time' }), description);

const FIELDS = {
  id: id('wh', 'Id of the webhook.'),
  url: Type.String({ description: 'Where requests go.' }),
  events: Type.Array(oneOf(WEBHOOK_EVENT_TYPES, 'What it hears of.')),
  status: oneOf(['enabled', 'disabled'], 'One that is disabled gets nothing.'),
  disabled_reason: nullable(
    oneOf(['failing', 'manual'], '`failing`: nothing succeeded for five days.'),
    'Null while enabled.',
  ),
  disabled_at: nullableInstant('Null while enabled.'),
  failing_since: nullableInstant('Since when every try has failed; null while they succeed.'),
  previous_secret_expires_at: nullableInstant('Until when the secret before the last rotation signs too.'),
  created_at: instant('When it was made.'),
  updated_at: instant('When it was changed last.'),
};

const WEBHOOK = schemaOf<WebhookResponse>('Webhook')(Type.Object(FIELDS));

const WEBHOOK_WITH_SECRET = schemaOf<WebhookWithSecretResponse>('WebhookWithSecret')(
  Type.Object({
    ...FIELDS,
    secret: Type.String({ description: 'What requests are signed with. Shown here and never again.' }),
  }),
);

const DELIVERY = schemaOf<DeliveryResponse>('WebhookDelivery')(
  Type.Object({
    id: id('dlv', 'Id of the delivery.'),
    webhook_id: FIELDS.id,
    event_id: id('evt', '`webhook-id` of its requests: the same on every try, and when it is sent again.'),
    event: Type.String({ description: 'Kind of the event.' }),
    status: oneOf(
      DELIVERY_STATUSES,
      '`failed`: given up after the last try, or because the webhook was disabled.',
    ),
    attempts: count('How often it was tried.'),
    tries: Type.Array(
      Type.Object({
        at: instant('When the try began.'),
        status_code: nullable(Type.Integer(), 'What the receiver answered; null when it did not.'),
        error: nullable(oneOf(TRY_ERRORS, 'Why the try counts as failed.'), 'Null when it succeeded.'),
        duration_ms: count('How long it took.'),
      }),
      { description: 'The newest twenty, oldest first.' },
    ),
    next_attempt_at: nullableInstant('When it is tried next; null when it is not.'),
    created_at: instant('When it was made.'),
    delivered_at: nullableInstant('When the receiver took it.'),
    resend_of: nullable(id('dlv', ''), 'The delivery that it repeats.'),
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

export const WEBHOOK_DESCRIPTIONS = {
  listWebhooks: {
    tag: 'Webhooks',
    description: 'Newest first; disabled ones too.',
    query: PageQuery,
    answer: pageAnswer('A page of webhooks.', 'webhooks', WEBHOOK, EXAMPLE),
  },
  createWebhook: {
    tag: 'Webhooks',
    description:
      'Requests are POSTs of `{id, event, timestamp, data}`, signed with the secret of this answer: `X-Service-Signature` is the HMAC-SHA256 of the raw body in lower-case hex, and the three headers of Standard Webhooks are there too.',
    body: CreateWebhookDto,
    example: { body: { url: EXAMPLE.url, events: EXAMPLE.events } },
    answer: { says: 'The webhook, with its secret.', data: WEBHOOK_WITH_SECRET, example: SECRET_EXAMPLE },
    refusals: ['limit_exceeded'],
  },
  getWebhook: { tag: 'Webhooks', answer: { says: 'The webhook.', data: WEBHOOK, example: EXAMPLE } },
  changeWebhook: {
    tag: 'Webhooks',
    description:
      'When a webhook is disabled, what was on its way to it is given up; events of the time until it is enabled are not kept for it.',
    body: ChangeWebhookDto,
    example: { body: { events: ['sync.failed'] } },
    answer: { says: 'The webhook.', data: WEBHOOK, example: { ...EXAMPLE, events: ['sync.failed'] } },
  },
  rotateWebhookSecret: {
    tag: 'Webhooks',
    description:
      'The new secret signs `X-Service-Signature` at once. Until the one before ends, `webhook-signature` holds a signature of each.',
    body: RotateWebhookSecretDto,
    example: { body: { overlap_hours: 24 } },
    answer: {
      says: 'The webhook, with its new secret.',
      data: WEBHOOK_WITH_SECRET,
      example: { ...SECRET_EXAMPLE, previous_secret_expires_at: '2026-11-22T09:30:00.000Z' },
    },
  },
  testWebhook: {
    tag: 'Webhooks',
    description:
      'Sends `{id, event: "webhook.test", timestamp, data: {webhook_id}}`, whatever the webhook hears of.',
    body: NoBody,
    example: { body: {} },
    answer: {
      says: 'The delivery, not yet tried.',
      data: DELIVERY,
      example: { ...NEW_DELIVERY_EXAMPLE, event: 'webhook.test' },
    },
    refusals: ['conflict'],
  },
  deleteWebhook: {
    tag: 'Webhooks',
    description: 'Its deliveries go with it.',
    answer: deletedAnswer('The webhook is deleted.', EXAMPLE.id),
  },
  listWebhookDeliveries: {
    tag: 'Webhooks',
    description: 'Newest first; the log goes back thirty days.',
    query: ListDeliveriesQuery,
    example: { query: { status: 'failed' } },
    answer: pageAnswer('A page of deliveries.', 'deliveries', DELIVERY, DELIVERY_EXAMPLE),
  },
  getWebhookDelivery: {
    tag: 'Webhooks',
    answer: { says: 'The delivery.', data: DELIVERY, example: DELIVERY_EXAMPLE },
  },
  resendWebhookDelivery: {
    tag: 'Webhooks',
    description: 'The same event, with the same id and body, as a delivery of its own.',
    body: NoBody,
    example: { body: {} },
    answer: {
      says: 'The new delivery, not yet tried.',
      data: DELIVERY,
      example: { ...NEW_DELIVERY_EXAMPLE, resend_of: 'dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3D' },
    },
    refusals: ['conflict'],
  },
} satisfies Record<string, OperationDescription>;
