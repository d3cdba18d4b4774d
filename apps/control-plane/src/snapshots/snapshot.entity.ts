import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { AgentDatabase } from '../agent-work/connections/agent-database.js';
import { WorkColumns } from '../agent-work/leases/work-columns.js';
import { safeInteger } from '../persistence/database-values.js';
import type { Progress } from './events/snapshot-progress.js';

/** A snapshot that agents make and keep. The columns of work are those of its making. */
@Entity('snapshots')
export class SnapshotEntity extends WorkColumns {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  name: string;

  /** A name, never a URL. */
  @Column('text', { name: 'database_display' })
  databaseDisplay: string;

  @Column('jsonb')
  database: AgentDatabase;

  /** As in SQL; none: all of them. Agents speak of them by index. */
  @Column('jsonb', { name: 'asked_tables' })
  askedTables: readonly string[];

  /** Those asked for, or those that the agent named. */
  @Column('jsonb')
  tables: readonly string[];

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('bigint', { name: 'size_bytes', transformer: safeInteger, default: 0 })
  sizeBytes: number;

  /** Null until it is ready. */
  @Column('jsonb', { nullable: true })
  made: StoredSnapshot | null;

  @Column('timestamptz', { name: 'expired_at', nullable: true })
  expiredAt: Date | null;

  @Column('timestamptz', { name: 'delete_requested_at', nullable: true })
  deleteRequestedAt: Date | null;

  @Column('jsonb', { nullable: true })
  progress: Progress | null;
}

/** What is known here of what an agent stored. */
export interface StoredSnapshot {
  readonly epoch: number;
  /** 32 hex digits: agents that name the same one can restore and delete it. */
  readonly store: string;
  /** 64 hex digits. */
  readonly manifestHash: string;
  readonly tableCount: number;
  readonly format: number;
  /** `server_version_num` of the database. */
  readonly serverVersion: number;
}
