import type { ConnectionTarget, ColumnDescription, TableDescription } from '@understudy/postgres';
import { type DatabaseReference, MAX_KEPT_HOURS, type SyncJobCommand } from '@understudy/sync-job';

/**
 * A table, its ancestors and its partitions. A policy rule for a column of an ancestor or of a partition can
 * apply to the column of the same name in the table.
 */
export type PolicyTable = Pick<TableDescription, 'name' | 'ancestors' | 'partitions'>;
export type PolicyColumn = Pick<ColumnDescription, 'name' | 'holdsText'>;

/** Whether a job may do something. `report` allows it, and the result names it. */
export type Permission = boolean | 'report';

/** The rules of a policy that are only a value. A policy file has each of them as a key. */
export interface SyncRules {
  /** Whether a job may choose rows by a condition. */
  readonly allowWhere: boolean;
  /** Whether each table of a job must have `unlisted_columns: "reject"`. */
  readonly rejectsUnlisted: boolean;
  /** Whether jobs may create code of the source on a target. */
  readonly allowSourceCode: Permission;
  /** Whether jobs may write as a superuser, or as a role that can become one. */
  readonly allowSuperuserTarget: Permission;
  /** Whether failures may contain names of columns, types, schemas and roles that the job itself does not name. */
  readonly reportNames: boolean;
  /**
   * Whether the target may evaluate rows with functions of schemas in which other roles may create objects. Such a
   * function runs with the privileges of the job's role.
   */
  readonly allowSharedSchemas: boolean;
  /** The longest time for which a replaced database is kept, in hours. If 0, it is dropped immediately. */
  readonly keepReplacedHours: number;
  /** Whether the functions of a database that a job builds may stay SECURITY DEFINER. */
  readonly allowSecurityDefiner: boolean;
  /** Whether a job may copy large objects. */
  readonly allowLargeObjects: boolean;
  /** Whether a job may create foreign servers and tables. */
  readonly allowForeignServers: boolean;
  /** Whether a job may end the sessions of others in a database that it replaces. */
  readonly allowEndSessions: boolean;
  /** The largest size of a database that a job builds; undefined for any size. */
  readonly maxDatabaseBytes: number | undefined;
}

/** Rules that permit everything, except other roles' functions in shared schemas. */
export const PERMISSIVE_RULES: SyncRules = {
  allowWhere: true,
  rejectsUnlisted: false,
  allowSourceCode: true,
  allowSuperuserTarget: true,
  reportNames: true,
  // Another role than the user of the job may have created the functions of a shared schema.
  allowSharedSchemas: false,
  keepReplacedHours: MAX_KEPT_HOURS,
  allowSecurityDefiner: true,
  allowLargeObjects: true,
  allowForeignServers: true,
  allowEndSessions: true,
  maxDatabaseBytes: undefined,
};

/** The role that the policy must give a target. */
export function targetRole({ replace }: Pick<SyncJobCommand, 'replace'>): 'target' | 'replace' {
  return replace === 'database' ? 'replace' : 'target';
}

/** The parts of the agent's policy that concern sync jobs. They override every request. */
export interface SyncPolicy {
  readonly rules: SyncRules;
  /** Returns the connection target of a job's database. Does not connect. @throws SyncJobError policy_denied */
  resolveDatabase(reference: DatabaseReference, role: 'source' | 'target' | 'replace'): ConnectionTarget;
  /**
   * Returns the second login of a target, in whose sessions the code of the source runs while a job builds a database.
   * Its server is that of the target. Does not connect.
   * @returns undefined if the target has no second login
   * @throws SyncJobError policy_denied
   */
  resolveBuildLogin?(reference: DatabaseReference): ConnectionTarget | undefined;
  /** Returns the name of the database from which a job creates the new database; undefined for an empty one. */
  templateOf?(reference: DatabaseReference): string | undefined;
  /** Returns true for columns whose original values must never reach a target. */
  refusesPreserve(table: PolicyTable, column: PolicyColumn): boolean;
  /** True if `refusesPreserve` can be true for any column. */
  readonly protectsColumns: boolean;
  /**
   * Returns the smallest `min_values` with which a job may train a model on the column.
   * @returns undefined if training on the column is not allowed
   */
  trainingFloor(table: PolicyTable, column: PolicyColumn): number | undefined;
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
