import { Column, Entity } from 'typeorm';

import { OwnedRow } from '../../platform/persistence/database-values.js';

/** An event with its request body, which never changes. */
@Entity('webhook_events')
export class WebhookEventEntity extends OwnedRow {
  @Column('text')
  type: string;

  @Column('text')
  body: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
