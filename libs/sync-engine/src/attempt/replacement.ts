import type { ConnectionTarget, EvaluationPaths } from '@understudy/postgres';
import type { SyncJobResult } from '@understudy/sync-job';
import type { KeepSnapshot } from '../environment.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { JobMasks } from '../plan/compile-masks.js';
import type { ExcludedObject } from '../plan/exclude/excluded-objects.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { KeeperProcess } from '../source/snapshot-keeper.js';
import type { StagedJob } from './running-job.js';

/** The databases and services of one attempt. */
export interface AttemptHost {
  readonly source: ConnectionTarget;
  readonly target: ConnectionTarget;
  readonly registry: ModelRegistry;
  readonly keeper: KeeperProcess;
  readonly keepSnapshot: KeepSnapshot;
}

/** One way in which a job replaces the content of its target: the listed tables, or the whole database. */
export interface Replacement {
  /** True when the attempt owns what earlier attempts of the job left, which it may then continue or drop. */
  readonly hasAcquired: boolean;
  /**
   * Runs the attempt to its end. The target is unchanged until one transaction commits.
   * @throws SyncJobError, or the signal's reason
   */
  run(host: AttemptHost): Promise<SyncJobResult>;
  /** Removes everything that the job left beside the target's content, including the job's result. */
  drop(target: ConnectionTarget): Promise<void>;
}

/** Makes the tables into which a job copies its rows. */
export interface JobStaging {
  /** The objects of the source that the job leaves out; absent in a job on tables. */
  readonly excluded?: readonly ExcludedObject[];
  /** Checks the planned tables, and starts the dumps that the staging needs. Their rows are not chosen yet. */
  planned(plans: readonly TablePlan[]): Promise<void>;
  /** Checks the planned tables when their rows are chosen. */
  chosen?(plans: readonly TablePlan[]): Promise<void>;
  stage(request: StagingRequest): Promise<StagedRows>;
  /** Ends the dumps. Never rejects. */
  discard(): Promise<void>;
}

export interface StagingRequest {
  readonly plans: readonly TablePlan[];
  readonly masks: JobMasks;
  readonly fingerprint: string;
  /** Returns true for tables that must be copied as one chunk, because their rules need the rows in order. */
  readonly needsOrder: (plan: Pick<TablePlan, 'index'>) => boolean;
}

export interface StagedRows {
  readonly staged: StagedJob;
  /** The search paths with which the server evaluates the rows. */
  readonly paths: EvaluationPaths;
  /** Whether writing the rows calls functions of users, which can change other tables. */
  readonly runsCode: boolean;
}
