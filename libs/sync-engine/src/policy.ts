import type { ConnectionTarget, ColumnDescription, TableDescription } from '@understudy/postgres';
import type { DatabaseReference } from '@understudy/sync-job';

/**
 * A table, its ancestors and its partitions. A policy rule for a column of an ancestor or of a partition can
 * apply to the column of the same name in the table.
 */
export type PolicyTable = Pick<TableDescription, 'name' | 'ancestors' | 'partitions'>;
export type PolicyColumn = Pick<ColumnDescription, 'name' | 'holdsText'>;

/** Whether a job may do something. `report` allows it, and the result names it. */
export type Permission = 'refuse' | 'allow' | 'report';

/** The parts of the agent's policy that concern sync jobs. They override every request. */
export interface SyncPolicy {
  /** Returns the connection target of a job's database. Does not connect. @throws SyncJobError policy_denied */
  resolveDatabase(reference: DatabaseReference, role: 'source' | 'target'): ConnectionTarget;
  /** True if a job may choose rows by a condition. */
  readonly allowWhere: boolean;
  /** True if each table of a job must reject columns that the job does not list. */
  readonly rejectsUnlisted: boolean;
  /** Returns true for columns whose original values must never reach a target. */
  refusesPreserve(table: PolicyTable, column: PolicyColumn): boolean;
  /** True if `refusesPreserve` can be true for any column. */
  readonly protectsColumns: boolean;
  /**
   * Returns the smallest `min_values` with which a job may train a model on the column.
   * @returns undefined if training on the column is not allowed
   */
  trainingFloor(table: PolicyTable, column: PolicyColumn): number | undefined;
  /** Whether jobs may create code of the source on a target. */
  readonly sourceCode: Permission;
  /** Whether jobs may write as a superuser, or as a role that can become one. */
  readonly superuserTarget: Permission;
  /**
   * True if failures may contain names of columns, types, schemas and roles that the job itself does not
   * name.
   */
  readonly reportsNames: boolean;
  /**
   * True if the target may evaluate rows with functions of schemas in which other roles may create objects. Such a
   * function runs with the privileges of the job's role.
   */
  readonly allowsSharedSchemas: boolean;
}

/** Keys that never leave the machine on which the engine runs. */
export interface EngineKeys {
  /**
   * 32 bytes on which masked values depend. A job's seed without this key is not enough to compute a value
   * again.
   */
  readonly maskingKey: Uint8Array;
  /** 32 bytes. For each trained model, the agent reports an HMAC with this key. */
  readonly modelKey: Uint8Array;
}
