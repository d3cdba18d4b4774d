/** The events that a webhook can subscribe to. */
export const EVENTS = [
  'sync.started',
  'sync.completed',
  'sync.failed',
  'snapshot.created',
  'snapshot.restored',
] as const;
export type WebhookEventName = (typeof EVENTS)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The event of a delivery: an event of `EVENTS`, or the test event. */
export const DELIVERY_EVENTS = [...EVENTS, 'webhook.test'] as const;

/** The spans of time that the list can be limited to, in hours. */
export const SPANS = { '1h': 1, '24h': 24, '7d': 168 } as const;
export type Span = keyof typeof SPANS;

/** The filters of the list of deliveries, as the address of the page holds them. */
export interface DeliveryFilters {
  readonly status?: DeliveryStatus;
  readonly event?: (typeof DELIVERY_EVENTS)[number];
  readonly within?: Span;
}

/** Reads the filters from the address. What is not known is left out. */
export function readDeliveryFilters(search: Record<string, unknown>): DeliveryFilters {
  const status = DELIVERY_STATUSES.find((known) => known === search['status']);
  const event = DELIVERY_EVENTS.find((known) => known === search['event']);
  const within = (Object.keys(SPANS) as Span[]).find((known) => known === search['within']);
  return { ...(status && { status }), ...(event && { event }), ...(within && { within }) };
}
