/** The events to which a webhook can subscribe. */
export const WEBHOOK_EVENT_TYPES = [
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
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** The event that is sent on request, independently of subscriptions. */
export const TEST_EVENT = 'webhook.test';

/** The events that deliveries can have. */
export const DELIVERED_EVENT_TYPES = [...WEBHOOK_EVENT_TYPES, TEST_EVENT] as const;
export type DeliveredEventType = (typeof DELIVERED_EVENT_TYPES)[number];

export interface WebhookEvent {
  readonly organizationId: string;
  readonly type: DeliveredEventType;
  /**
   * The first attempts of events with the same subject are made in order. Null if the order does not matter.
   */
  readonly subject: string | null;
  readonly occurredAt: Date;
  /** The fields that docs/guides/webhooks.md documents: ids, names and counts. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the request body, which is signed. It is the same for every attempt. */
export function bodyOf(id: string, { type, occurredAt, data }: WebhookEvent): string {
  return JSON.stringify({ id, event: type, timestamp: occurredAt.toISOString(), data });
}
