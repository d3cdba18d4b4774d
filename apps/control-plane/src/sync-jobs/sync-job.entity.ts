import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { FieldProblem } from '../http/api-error.js';
import { safeInteger } from '../persistence/safe-integer.js';
import type {
  JobDatabase,
  JobDefinition,
  JobModel,
  JobPace,
  JobPhase,
  JobPrediction,
  JobVerification,
  JobWarning,
} from './sync-job.js';
import type { SyncJobStatus } from './sync-job-state.js';

@Entity('sync_jobs')
export class SyncJobEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  name: string;

  @Column('text')
  status: SyncJobStatus;

  @Column('text', { name: 'source_display' })
  sourceDisplay: string;

  @Column('text', { name: 'target_display' })
  targetDisplay: string;

  @Column('jsonb')
  source: JobDatabase;

  @Column('jsonb')
  target: JobDatabase;

  @Column('json')
  definition: JobDefinition;

  @Column('bigint', { transformer: safeInteger })
  seed: number;

  @Column('timestamptz', { name: 'reference_instant' })
  referenceInstant: Date;

  @Column('bigint', { name: 'rows_processed', transformer: safeInteger, default: 0 })
  rowsProcessed: number;

  @Column('integer', { default: 0 })
  attempts: number;

  @Column('integer', { default: 0 })
  epoch: number;

  @Column('integer', { name: 'last_seq', default: 0 })
  lastSeq: number;

  @Column('text', { name: 'agent_id', nullable: true })
  agentId: string | null;

  @Column('timestamptz', { name: 'leased_at', nullable: true })
  leasedAt: Date | null;

  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;

  @Column('timestamptz', { name: 'cancel_requested_at', nullable: true })
  cancelRequestedAt: Date | null;

  @Column('text', { name: 'error_code', nullable: true })
  errorCode: string | null;

  @Column('text', { name: 'error_message', nullable: true })
  errorMessage: string | null;

  @Column('jsonb', { name: 'error_details', default: [] })
  errorDetails: readonly FieldProblem[];

  @Column('jsonb', { default: [] })
  warnings: readonly JobWarning[];

  @Column('jsonb', { default: [] })
  models: readonly JobModel[];

  @Column('jsonb', { nullable: true })
  pace: JobPace | null;

  @Column('jsonb', { default: [] })
  phases: readonly JobPhase[];

  @Column('jsonb', { nullable: true })
  verification: JobVerification | null;

  /** Of a dry run that completed. */
  @Column('jsonb', { nullable: true })
  prediction: JobPrediction | null;
}
