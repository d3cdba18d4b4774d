import { Column, Entity } from 'typeorm';

import { OwnedRow } from '../../platform/persistence/database-values.js';

/**
 * A private model that one agent must erase. The row is deleted after the agent has acknowledged the erasure.
 */
@Entity('model_erasures')
export class ModelErasureEntity extends OwnedRow {
  @Column('text', { name: 'agent_id' })
  agentId: string;

  /** `private/<name>`. */
  @Column('text')
  name: string;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt: Date;

  /** When JetStream last accepted the command. */
  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;
}
