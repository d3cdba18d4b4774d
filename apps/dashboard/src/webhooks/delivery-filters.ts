import { oneOf, searchReader } from '../api/search.js';

/** The events that a webhook can subscribe to. */
export const EVENTS = [
  'sync.started',
  'sync.completed',
  'sync.failed',
  'sync.reverted',
  'sync.revert_failed',
  'snapshot.created',
  'snapshot.failed',
  'snapshot.restored',
  'restore.failed',
  'agent.away',
  'agent.back',
] as const;
export type WebhookEventName = (typeof EVENTS)[number];

/** The forms that the body of a webhook's requests can have. */
export const FORMATS = ['standard', 'slack', 'teams'] as const;
export type WebhookFormatName = (typeof FORMATS)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The event of a delivery: an event of `EVENTS`, or the test event. */
export const DELIVERY_EVENTS = [...EVENTS, 'webhook.test'] as const;

/** The spans of time that the list can be limited to, in hours. */
export const SPANS = { '1h': 1, '24h': 24, '7d': 168 } as const;
export type Span = keyof typeof SPANS;

/** Reads the filters of the list of deliveries from the address. What is not known is left out. */
export const readDeliveryFilters = searchReader({
  status: oneOf(DELIVERY_STATUSES),
  event: oneOf(DELIVERY_EVENTS),
  within: oneOf(Object.keys(SPANS) as Span[]),
});

/** The filters of the list of deliveries, as the address of the page holds them. */
export type DeliveryFilters = ReturnType<typeof readDeliveryFilters>;
