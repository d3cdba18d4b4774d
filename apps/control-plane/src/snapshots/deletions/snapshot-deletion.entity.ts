import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An archive that an agent must erase from its store. The row is deleted after an agent of that store has
 * acknowledged this.
 */
@Entity('snapshot_deletions')
export class SnapshotDeletionEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;

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
   * The code of the reason why an agent's policy keeps the snapshot. Null unless an agent has refused to
   * erase it.
   */
  @Column('text', { name: 'refused_code', nullable: true })
  refusedCode: string | null;

  /** When the policy that refused allows the deletion. */
  @Column('timestamptz', { name: 'refused_until', nullable: true })
  refusedUntil: Date | null;
}
