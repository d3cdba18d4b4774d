/** What endpoints may ask for. */
export const WEBHOOK_EVENT_TYPES = [
  'sync.started',
  'sync.completed',
  'sync.failed',
  'snapshot.created',
  'snapshot.restored',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Sent when somebody asks for it, whatever the endpoint has asked for. */
export const TEST_EVENT = 'webhook.test';

export interface WebhookEvent {
  readonly organizationId: string;
  readonly type: WebhookEventType | typeof TEST_EVENT;
  /** Of events with the same subject the first tries follow one another; null: of no other event. */
  readonly subject: string | null;
  readonly occurredAt: Date;
  /** As docs/webhooks.md lists it; ids, names and counts. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The text that is signed and sent, the same on every try. */
export function bodyOf(id: string, { type, occurredAt, data }: WebhookEvent): string {
  return JSON.stringify({ id, event: type, timestamp: occurredAt.toISOString(), data });
}
