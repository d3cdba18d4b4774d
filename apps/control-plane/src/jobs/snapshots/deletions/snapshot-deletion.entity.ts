import { Column, Entity } from 'typeorm';

import { OwnedRow } from '../../../platform/persistence/database-values.js';

/**
 * An archive that an agent must erase from its store. The row is deleted after an agent with that store has
 * acknowledged the erasure.
 */
@Entity('snapshot_deletions')
export class SnapshotDeletionEntity extends OwnedRow {
  @Column('text', { name: 'snapshot_id' })
  snapshotId: string;

  @Column('text')
  store: string;

  /** Only the archives of attempts with a lower epoch are erased; 0 means all archives. */
  @Column('integer', { name: 'before_epoch' })
  beforeEpoch: number;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt: Date;

  /** When JetStream last accepted the command. */
  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;

  /**
   * The error code of the last refusal, if an agent's policy did not allow the deletion. Null if no agent has
   * refused.
   */
  @Column('text', { name: 'refused_code', nullable: true })
  refusedCode: string | null;

  /** When the agent's policy will allow the deletion. */
  @Column('timestamptz', { name: 'refused_until', nullable: true })
  refusedUntil: Date | null;
}
