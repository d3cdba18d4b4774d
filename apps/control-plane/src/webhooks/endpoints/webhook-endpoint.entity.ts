import { Column, DeleteDateColumn, Entity } from 'typeorm';

import { OwnedRow } from '../../platform/persistence/database-values.js';
import type { WebhookEventType } from '../events/webhook-event.js';
import type { WebhookFormat } from '../formats/webhook-format.js';

export type DisabledReason = 'failing' | 'gone' | 'manual';

/** A URL to which an organisation's events are sent. */
@Entity('webhook_endpoints')
export class WebhookEndpointEntity extends OwnedRow {
  @Column('text')
  url: string;

  @Column('text', { array: true })
  events: readonly WebhookEventType[];

  @Column('text')
  format: WebhookFormat;

  @Column('bytea', { name: 'sealed_secret' })
  sealedSecret: Buffer;

  /** The previous secret. Until it expires, it signs requests in addition to the current secret. */
  @Column('bytea', { name: 'sealed_previous_secret', nullable: true })
  sealedPreviousSecret: Buffer | null;

  @Column('timestamptz', { name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt: Date | null;

  /** When attempts started to fail; null after a success. */
  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince: Date | null;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt: Date | null;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: DisabledReason | null;

  /** Set until all deliveries of a deleted webhook are deleted. Entity queries do not find such a webhook. */
  @DeleteDateColumn({ type: 'timestamptz', name: 'deleted_at' })
  deletedAt: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
