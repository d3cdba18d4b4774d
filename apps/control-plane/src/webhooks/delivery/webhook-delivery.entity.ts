import { Type } from 'typebox';
import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';

import { OwnedRow } from '../../platform/persistence/database-values.js';
import { count, instant, nullable, oneOf, type ResponseOf } from '../../platform/http/operations/schemas.js';
import { TRY_ERRORS, type WebhookRequest } from './post-webhook.js';
import { WebhookEndpointEntity } from '../endpoints/webhook-endpoint.entity.js';
import { WebhookEventEntity } from '../events/webhook-event.entity.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An attempt, as it is stored and as responses show it. */
export const RecordedTry = Type.Object({
  at: instant('When the attempt started.'),
  status_code: nullable(Type.Integer(), "HTTP status of the receiver's response; null without a response."),
  error: nullable(
    oneOf(TRY_ERRORS, 'Why the attempt failed.'),
    'Why the attempt failed; null for a successful attempt.',
  ),
  duration_ms: count('Duration of the attempt in milliseconds.'),
});
export type RecordedTry = ResponseOf<typeof RecordedTry>;

/** The request of an attempt. Without `body`, its body is the body of the event. */
export type SentRequest = Pick<WebhookRequest, 'url' | 'headers'> & Partial<Pick<WebhookRequest, 'body'>>;

/**
 * The delivery of an event to one endpoint, with its attempts. Pending rows are an outbox from which the
 * queue is filled.
 */
@Entity('webhook_deliveries')
export class WebhookDeliveryEntity extends OwnedRow {
  @Column('text', { name: 'endpoint_id' })
  endpointId: string;

  @ManyToOne(() => WebhookEndpointEntity)
  @JoinColumn({ name: 'endpoint_id' })
  endpoint?: Relation<WebhookEndpointEntity>;

  @Column('text', { name: 'event_id' })
  eventId: string;

  @ManyToOne(() => WebhookEventEntity)
  @JoinColumn({ name: 'event_id' })
  event?: Relation<WebhookEventEntity>;

  @Column('text', { nullable: true })
  subject: string | null;

  @Column('text', { default: 'pending' })
  status: DeliveryStatus;

  @Column('integer', { default: 0 })
  attempts: number;

  /** The newest attempts, oldest first. */
  @Column('jsonb', { default: [] })
  tries: readonly RecordedTry[];

  /**
   * The request of the newest attempt. Null before the first attempt, if the secret could not be read, and for
   * attempts by a version that did not store it.
   */
  @Column('jsonb', { name: 'last_request', nullable: true })
  lastRequest: SentRequest | null;

  /** Set while the delivery is pending. */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt: Date | null;

  /** When the claim of a worker on the delivery ends. Null if no worker has claimed it. */
  @Column('timestamptz', { name: 'held_until', nullable: true })
  heldUntil: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt: Date | null;

  /** The delivery that this one repeats on request. */
  @Column('text', { name: 'resend_of', nullable: true })
  resendOf: string | null;
}
