import type { ConnectionTarget, ColumnDescription, TableDescription } from '@understudy/postgres';
import type { DatabaseReference } from '@understudy/sync-job';

/** A table with the tables that share rows with it: what is said of one of these holds for its columns of that name. */
export type PolicyTable = Pick<TableDescription, 'name' | 'ancestors' | 'partitions'>;
export type PolicyColumn = Pick<ColumnDescription, 'name' | 'holdsText'>;

/** What a job asks of the agent's policy, which has the last word. */
export interface SyncPolicy {
  /** @throws SyncJobError policy_denied, before anything is connected */
  resolveDatabase(reference: DatabaseReference, role: 'source' | 'target'): ConnectionTarget;
  /** Whether a job may choose rows by a condition. */
  readonly allowWhere: boolean;
  /** Whether each table of a job has to reject columns that it does not list. */
  readonly rejectsUnlisted: boolean;
  /** True for columns whose original values must never reach a target. */
  refusesPreserve(table: PolicyTable, column: PolicyColumn): boolean;
  /** The least `min_values` with which a job may train a model on the column; undefined: training is not allowed. */
  trainingFloor(table: PolicyTable, column: PolicyColumn): number | undefined;
  /** Whether names of columns, types, schemas and roles may be told beyond those that the job itself names. */
  readonly reportsNames: boolean;
}

/** Keys that never leave the machine the engine runs on. */
export interface EngineKeys {
  /** 32 bytes. Masked cells are a function of it: whoever knows a job's seed alone can recompute nothing. */
  readonly maskingKey: Uint8Array;
  /** 32 bytes. Keys the hashes of private models that leave the agent. */
  readonly modelKey: Uint8Array;
}
