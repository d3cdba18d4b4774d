import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a store is to erase; the row goes when an agent of it has answered. */
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

  /** Attempts of a lower epoch alone; 0: all of it. */
  @Column('integer', { name: 'before_epoch' })
  beforeEpoch: number;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt: Date;

  /** When JetStream last took the command. */
  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;

  /** Why an agent's policy keeps the snapshot; null unless one has refused. */
  @Column('text', { name: 'refused_code', nullable: true })
  refusedCode: string | null;

  /** When the policy that refused allows it. */
  @Column('timestamptz', { name: 'refused_until', nullable: true })
  refusedUntil: Date | null;
}
