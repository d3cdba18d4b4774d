import { Column, Entity } from 'typeorm';

import type { AgentDatabase } from '../../../agents/agent-work/connections/agent-database.js';
import { WorkColumns } from '../../../agents/agent-work/leases/work-columns.js';
import type { Progress } from '../events/snapshot-progress.js';

/** The restore of a snapshot into a database. */
@Entity('snapshot_restores')
export class SnapshotRestoreEntity extends WorkColumns {
  @Column('text', { name: 'snapshot_id' })
  snapshotId: string;

  /** A name, never a URL. */
  @Column('text', { name: 'target_display' })
  targetDisplay: string;

  @Column('jsonb')
  target: AgentDatabase;

  @Column('boolean')
  overwrite: boolean;

  @Column('jsonb', { nullable: true })
  progress: Progress | null;
}
