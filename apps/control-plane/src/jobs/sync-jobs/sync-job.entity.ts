import { Column, Entity } from 'typeorm';

import type { LeftOut } from '@understudy/sync-job';

import type { AgentDatabase } from '../../agents/agent-work/connections/agent-database.js';
import type { WorkWarning } from '../../agents/agent-work/choice/waiting-warnings.js';
import { WorkColumns } from '../../agents/agent-work/leases/work-columns.js';
import { exactJson, safeInteger } from '../../platform/persistence/database-values.js';
import type {
  JobAttempt,
  JobModel,
  JobThroughput,
  JobPhase,
  JobPrediction,
  JobVerification,
  StoredDefinition,
} from './sync-job.js';

@Entity('sync_jobs')
export class SyncJobEntity extends WorkColumns {
  @Column('text')
  name: string;

  /** The id of the job that this one repeats, even if that job has been deleted; null for a job of its own request. */
  @Column('text', { name: 'run_of', nullable: true })
  runOf: string | null;

  @Column('text', { name: 'source_display' })
  sourceDisplay: string;

  @Column('text', { name: 'target_display' })
  targetDisplay: string;

  @Column('jsonb')
  source: AgentDatabase;

  @Column('jsonb')
  target: AgentDatabase;

  @Column('text', { transformer: exactJson })
  definition: StoredDefinition;

  @Column('bigint', { transformer: safeInteger })
  seed: number;

  @Column('timestamptz', { name: 'reference_instant' })
  referenceInstant: Date;

  @Column('bigint', { name: 'rows_processed', transformer: safeInteger, default: 0 })
  rowsProcessed: number;

  @Column('jsonb', { default: [] })
  warnings: readonly WorkWarning[];

  @Column('jsonb', { default: [] })
  models: readonly JobModel[];

  @Column('jsonb', { name: 'pace', nullable: true })
  throughput: JobThroughput | null;

  @Column('jsonb', { default: [] })
  phases: readonly JobPhase[];

  @Column('jsonb', { nullable: true })
  verification: JobVerification | null;

  /** The prediction of a completed dry run. */
  @Column('jsonb', { nullable: true })
  prediction: JobPrediction | null;

  /** The numbers of objects that the target lacks; null if no agent has counted them. */
  @Column('jsonb', { name: 'left_out', nullable: true })
  leftOut: LeftOut | null;

  /**
   * Number of changes of the job's tables. It only grows, and only under the row lock, so a reader that sees one
   * number also sees the changes of all lower ones.
   */
  @Column('bigint', { transformer: safeInteger, default: 0 })
  revision: number;

  @Column('jsonb', { name: 'attempt_history', default: [] })
  attemptHistory: readonly JobAttempt[];

  /** When retention removed the rules from `definition`; null while they are stored. */
  @Column('timestamptz', { name: 'definition_reduced_at', nullable: true })
  definitionReducedAt: Date | null;
}
