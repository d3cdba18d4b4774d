import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event with its request body, which never changes. */
@Entity('webhook_events')
export class WebhookEventEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  type: string;

  @Column('text')
  body: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
