import { Column, Entity, PrimaryColumn } from 'typeorm';

import { safeInteger } from '../../platform/persistence/database-values.js';
import type { TableState } from './sync-job.js';

@Entity('sync_job_tables')
export class SyncJobTableEntity {
  @PrimaryColumn('text', { name: 'job_id' })
  jobId: string;

  @PrimaryColumn('integer')
  position: number;

  @Column('text')
  name: string;

  @Column('text')
  status: TableState['status'];

  @Column('bigint', { name: 'rows_processed', transformer: safeInteger, default: 0 })
  rowsProcessed: number;

  @Column('bigint', { name: 'rows_total', transformer: safeInteger, nullable: true })
  rowsTotal: number | null;

  @Column('bigint', { name: 'bytes_processed', transformer: safeInteger, default: 0 })
  bytesProcessed: number;

  @Column('bigint', { name: 'bytes_total', transformer: safeInteger, nullable: true })
  bytesTotal: number | null;

  /** The job's `revision` at the last change of this row. No two rows of a job that changed have the same one. */
  @Column('bigint', { transformer: safeInteger, default: 0 })
  revision: number;
}
