import { Column, Entity } from 'typeorm';

import type { AgentDatabase } from '../../agents/agent-work/connections/agent-database.js';
import { WorkColumns } from '../../agents/agent-work/leases/work-columns.js';
import { safeInteger } from '../../platform/persistence/database-values.js';
import type { Progress } from './events/snapshot-progress.js';

/** A snapshot that an agent creates and stores. The inherited columns describe its creation. */
@Entity('snapshots')
export class SnapshotEntity extends WorkColumns {
  @Column('text')
  name: string;

  /** A name, never a URL. */
  @Column('text', { name: 'database_display' })
  databaseDisplay: string;

  @Column('jsonb')
  database: AgentDatabase;

  /**
   * The requested tables, written as in SQL; empty for all tables. Agents refer to a table by its index in
   * this list.
   */
  @Column('jsonb', { name: 'asked_tables' })
  askedTables: readonly string[];

  /** The requested tables. If all tables were requested, the tables that the agent reported. */
  @Column('jsonb')
  tables: readonly string[];

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('bigint', { name: 'size_bytes', transformer: safeInteger, default: 0 })
  sizeBytes: number;

  /** Null until the snapshot is ready. */
  @Column('jsonb', { nullable: true })
  made: StoredSnapshot | null;

  @Column('timestamptz', { name: 'expired_at', nullable: true })
  expiredAt: Date | null;

  @Column('timestamptz', { name: 'delete_requested_at', nullable: true })
  deleteRequestedAt: Date | null;

  @Column('jsonb', { nullable: true })
  progress: Progress | null;
}

/** The control plane's data about a stored archive. */
export interface StoredSnapshot {
  readonly epoch: number;
  /** 32 hex digits. Every agent with this store can restore and erase the archive. */
  readonly store: string;
  /** 64 hex digits. */
  readonly manifestHash: string;
  readonly tableCount: number;
  readonly format: number;
  /** `server_version_num` of the database. */
  readonly serverVersion: number;
}
