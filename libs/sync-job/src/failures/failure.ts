import type { Verification } from '../events/verification.js';
import type { SyncFailureCode } from './failures.js';

/** The facts about a failure that may leave the agent's network. */
export interface SyncFailure extends FailureLocation {
  readonly code: SyncFailureCode;
  /** One of PostgreSQL's documented SQLSTATEs. */
  readonly sqlstate?: string;
  /** The checks that were made. Present only if the code is `verification_failed`. */
  readonly verification?: Verification;
  /**
   * The problems, up to a limit; the first one is this failure. Several problems are listed only if they were
   * found before the first row was copied. Absent if the fields above describe the only problem completely.
   */
  readonly problems?: readonly SyncProblem[];
  /** The number of all problems, including those that are not in the list. */
  readonly problemCount?: number;
}

interface FailureLocation {
  readonly side?: DatabaseSide;
  readonly tableIndex?: number;
  /**
   * The position in the table's list of column rules. Positions after the last rule refer to the columns in
   * the table's `where`, in the order in which they first appear.
   */
  readonly columnIndex?: number;
  readonly constraintKind?: ConstraintKind;
}

/** One problem that makes a job fail. Most problems are found before any row is copied. */
export interface SyncProblem extends FailureLocation {
  readonly code: SyncFailureCode;
  /** A column that the command does not list. With `column_not_found`, a column of the table with a similar name. */
  readonly column?: SqlName;
  /** A constraint or unique index of the target that the rows would violate. */
  readonly constraint?: SqlName;
  /** Present only if the code is `not_a_table`. */
  readonly relationKind?: RelationKind;
  /** The `max_locks_per_transaction` that the server needs. Present only if the code is `locks_exhausted`. */
  readonly locksPerTransaction?: number;
  /** How many sessions a job needs at once. Present only if the code is `too_few_sessions`, as the next two. */
  readonly sessionsNeeded?: number;
  readonly sessionsHad?: number;
  readonly sessionLimit?: SessionLimit;
  readonly difference?: ColumnDifference;
  readonly sourceType?: ColumnType;
  readonly targetType?: ColumnType;
  readonly privilege?: MissingPrivilege;
  /** The function that could not be resolved, the object that is missing, or the one that stands in the way. */
  readonly object?: NamedObject;
  /** A role that owns `object` or may change it (`staging_untrusted`), or that holds a lock (`target_lock_held`). */
  readonly objectRole?: SqlName;
  /** The object that could not be created, because `object` is missing. */
  readonly creating?: NamedObject;
  /** A table of the source that the command does not list. */
  readonly table?: UnlistedTable;
  /** The position in the command's `ignoredTables` of a name that no table has. */
  readonly ignoredTableIndex?: number;
}

/** The name is absent if it is too long for a name, or if the policy forbids names in reports. */
export interface UnlistedTable {
  readonly schema?: SqlName;
  readonly name?: SqlName;
}

/** A failure received from an agent of any version. */
export type Failure = Received<Omit<SyncFailure, 'verification'>>;
export type FailureProblem = Received<SyncProblem>;

/**
 * T with plain strings, because another version may report codes and names that this version does not know.
 */
export type Received<T> = T extends DatabaseSide
  ? T
  : T extends string
    ? string
    : T extends readonly (infer Item)[]
      ? readonly Received<Item>[]
      : T extends object
        ? { readonly [Field in keyof T]: Received<T[Field]> }
        : T;

export type DatabaseSide = 'source' | 'target';

/**
 * A kind of object that is not a table of which a job can copy the rows. Each value is a RelationKind of
 * proto/understudy/v1/event.proto.
 */
export type RelationKind =
  | 'view'
  | 'materialized_view'
  | 'foreign_table'
  | 'sequence'
  | 'index'
  | 'composite_type'
  | 'temporary_table';

/**
 * A limit on the number of sessions. Each value is a SessionLimit of proto/understudy/v1/event.proto.
 */
export type SessionLimit = 'pool_size' | 'role' | 'database' | 'max_connections';

export type ConstraintKind = 'not_null' | 'unique' | 'foreign_key' | 'check' | 'exclusion';

/**
 * An identifier from a PostgreSQL catalog (type `name`). No other text may leave the agent as a message field
 * (docs/adr/0016). Only the function `sqlName` of libs/postgres returns this type.
 */
export type SqlName = string & { readonly [isSqlName]: true };
declare const isSqlName: unique symbol;

/**
 * The difference between a column of an existing target table and the source's column. Each value is a
 * ColumnDifference of proto/understudy/v1/event.proto.
 */
export type ColumnDifference = 'missing' | 'extra' | 'type' | 'collation' | 'generated' | 'enum_values';

export interface ColumnType {
  readonly name?: SqlName;
  readonly length?: number;
}

/** An object of a database. Its names come from the catalogs. */
export interface NamedObject {
  readonly kind: NamedObjectKind;
  readonly schema?: SqlName;
  readonly name?: SqlName;
}

export type NamedObjectKind =
  | 'function'
  | 'relation'
  | 'type'
  | 'schema'
  | 'extension'
  | 'collation'
  | 'operator'
  | 'operator_class'
  | 'policy'
  | 'trigger'
  | 'constraint'
  | 'index'
  | 'rule'
  | 'default'
  | 'generated_column'
  | 'publication'
  | 'other';

/**
 * A privilege that the role of a connection lacks. It refers to the table of the problem, unless `object`
 * names another object.
 */
export interface MissingPrivilege {
  readonly privilege:
    | 'select'
    | 'insert'
    | 'truncate'
    | 'references'
    | 'usage'
    | 'create'
    | 'ownership'
    | 'bypass_row_security';
  readonly objectKind: 'table' | 'schema' | 'sequence' | 'database';
  readonly schema?: SqlName;
  readonly object?: SqlName;
  readonly role?: SqlName;
  readonly owner?: SqlName;
}

/** Returns the fields that are not undefined. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/**
 * The error of a failed job. `failure` is sent to the control plane. `cause` stays in the agent's local log,
 * because it may quote row values, as PostgreSQL's DETAIL does.
 */
export class SyncJobError extends Error {
  constructor(
    readonly failure: SyncFailure,
    options?: ErrorOptions,
  ) {
    super(failure.code, options);
    this.name = 'SyncJobError';
  }
}
