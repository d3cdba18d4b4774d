import { CUSTOMERS } from '@understudy/testing';

import { ALL_PAGES, at, DELETED, filter, PAGE, type Step } from '../step.js';
import { type Text, verify } from './verify.js';

const firstSecret: Text = (seen) => seen.text('webhooks.create', 'secret');
const newSecret: Text = (seen) => seen.text('webhooks.rotateSecret', 'secret');
const otherSecret: Text = () => `whsec_${Buffer.alloc(24).toString('base64')}`;
const testEvent: Text = (seen) => seen.text('webhooks.test', 'event_id');
const delivered =
  (index: number): Text =>
  (seen) =>
    seen.text('webhooks.iterateDeliveries', `${index}.event_id`);

const SECRET = { secret: expect.stringMatching(/^whsec_/) };

/** A webhook, and a test event that it receives. */
export const WEBHOOKS: readonly Step[] = [
  {
    call: 'webhooks.create',
    title: 'creates a webhook',
    request: (seen) => ({ body: { url: seen.receiver, events: ['sync.failed'] } }),
    response: { result: { ...SECRET, status: 'enabled', events: ['sync.failed'] } },
  },
  {
    call: 'webhooks.list',
    title: PAGE,
    response: { result: { webhooks: [{ status: 'enabled' }], total: 1 } },
  },
  { call: 'webhooks.iterate', title: ALL_PAGES, response: { result: [{ events: ['sync.failed'] }] } },
  {
    call: 'webhooks.change',
    title: 'changes the events',
    request: at('webhooks.create', { body: { events: ['sync.completed', 'snapshot.restored'] } }),
    response: { result: { events: ['sync.completed', 'snapshot.restored'] } },
  },
  {
    call: 'webhooks.get',
    title: 'returns the webhook without its secret',
    request: at('webhooks.create'),
    response: { result: { failing_since: null } },
  },
  {
    call: 'webhooks.test',
    title: 'sends a test event',
    request: at('webhooks.create'),
    response: { result: { event: 'webhook.test', resend_of: null } },
  },
  {
    call: 'webhooks.verify',
    title: 'accepts the request of the control plane',
    request: verify(testEvent, firstSecret),
    response: { result: { event: 'webhook.test' } },
  },
  {
    call: 'webhooks.verify',
    title: 'refuses a request without the timed signature',
    request: verify(testEvent, firstSecret, 'webhook-signature'),
    response: { error: { class: 'WebhookVerificationError', reason: 'missing_signature' } },
  },
  {
    call: 'webhooks.verify',
    title: 'accepts the other signature of the request if untimed requests are allowed',
    request: verify(testEvent, firstSecret, 'webhook-signature', { allow_untimed: true }),
    response: { result: { event: 'webhook.test' } },
  },
  {
    call: 'webhooks.verify',
    title: 'refuses another secret',
    request: verify(testEvent, otherSecret),
    response: { error: { class: 'WebhookVerificationError', reason: 'wrong_signature' } },
  },
  {
    call: 'webhooks.getDelivery',
    title: 'returns the delivery when it is complete',
    request: at('webhooks.test'),
    until: ({ status }) => status === 'delivered',
    response: {
      result: {
        attempts: 1,
        tries: [{ status_code: 200, error: null }],
        payload: expect.stringContaining('"webhook.test"'),
        last_request: { headers: { 'webhook-id': expect.any(String) } },
      },
    },
  },
  {
    call: 'webhooks.change',
    title: 'changes the format',
    request: at('webhooks.create', { body: { format: 'slack' } }),
    response: { result: { format: 'slack' } },
  },
  {
    call: 'webhooks.resendDelivery',
    title: 'sends the event again',
    request: at('webhooks.test'),
    response: { result: { event: 'webhook.test', attempts: 0 } },
  },
  {
    call: 'webhooks.getDelivery',
    title: 'returns the body in the format of the webhook',
    request: at('webhooks.resendDelivery'),
    until: ({ status }) => status === 'delivered',
    response: { result: { payload: expect.stringContaining('"blocks"') } },
  },
  {
    call: 'webhooks.change',
    title: 'changes the format back',
    request: at('webhooks.create', { body: { format: 'standard' } }),
    response: { result: { format: 'standard' } },
  },
  {
    call: 'webhooks.rotateSecret',
    title: 'returns a new secret',
    request: at('webhooks.create', { body: { overlap_hours: 1 } }),
    response: { result: SECRET },
  },
];

/** The deliveries of a job and a restore that have ended since. */
export const DELIVERIES: readonly Step[] = [
  {
    call: 'webhooks.listDeliveries',
    title: 'returns a page of the deliveries with a status',
    request: at('webhooks.create', { query: { status: 'delivered', per_page: 2 } }),
    until: ({ total }) => total === 4,
    response: { result: { total: 4, page: 1, per_page: 2 } },
  },
  {
    call: 'webhooks.listDeliveries',
    title: 'returns the deliveries of an event from a time on',
    request: at('webhooks.create', {
      query: { event: 'sync.completed', created_after: '2026-01-01T00:00:00Z' },
    }),
    response: { result: { deliveries: [{ event: 'sync.completed' }], total: 1 } },
  },
  {
    call: 'webhooks.recoverDeliveries',
    title: 'sends nothing again if no delivery failed',
    request: at('webhooks.create', { body: { since: '2026-01-01T00:00:00Z' } }),
    response: { result: { resent: 0, has_more: false } },
  },
  {
    call: 'webhooks.iterateDeliveries',
    title: ALL_PAGES,
    request: at('webhooks.create', { query: { per_page: 1 } }),
    response: {
      result: [
        { event: 'snapshot.restored' },
        { event: 'sync.completed' },
        { event: 'webhook.test', resend_of: expect.any(String) },
        { event: 'webhook.test', resend_of: null },
      ],
    },
  },
  {
    call: 'webhooks.verify',
    title: 'accepts the previous secret after a rotation',
    request: verify(delivered(1), firstSecret),
    response: {
      result: { event: 'sync.completed', data: { name: 'masked', rows_processed: CUSTOMERS } },
    },
  },
  {
    call: 'webhooks.verify',
    title: 'accepts the new secret after a rotation',
    request: verify(delivered(0), newSecret),
    response: { result: { event: 'snapshot.restored', data: { name: 'nightly' } } },
  },
  {
    call: 'webhooks.delete',
    title: 'deletes the webhook',
    request: at('webhooks.create'),
    response: DELETED,
  },
];

const ACTIONS = [
  'organization.created',
  'sync_job.created',
  'sync_job.reverted',
  'model.uploaded',
  'webhook.deleted',
];

/** The audit log of everything before, and the description of the API. */
export const RECORDS: readonly Step[] = [
  {
    call: 'auditLog.list',
    title: PAGE,
    request: filter({ action: 'webhook.deleted', occurred_after: '2026-01-01T00:00:00Z' }),
    response: { result: { entries: [{ target: { type: 'webhook' } }], total: 1 } },
  },
  {
    call: 'auditLog.list',
    title: 'finds no entry of a request that changed nothing',
    request: filter({ request_id: 'req_00000000000000000000000000' }),
    response: { result: { entries: [], total: 0 } },
  },
  {
    call: 'auditLog.iterate',
    title: ALL_PAGES,
    request: filter({ per_page: 3 }),
    response: {
      result: expect.arrayContaining(ACTIONS.map((action) => expect.objectContaining({ action }))),
    },
  },
  {
    call: 'apiDescription',
    title: 'returns the OpenAPI document without a token',
    request: () => ({ client: { without_token: true } }),
    response: { result: { openapi: '3.1.0' } },
  },
];
