import type { Verification } from '../events/verification.js';
import type { SyncFailureCode } from './failure-code.js';

/** Everything about a failure that may leave the network. Indexes point into the command. */
export interface SyncFailure extends FailureLocation {
  readonly code: SyncFailureCode;
  /** One of PostgreSQL's documented SQLSTATEs. */
  readonly sqlstate?: string;
  /** With `verification_failed`: all checks that were made. */
  readonly verification?: Verification;
  /** All problems that the checks before the first row found, if they are more than the fields above; this failure first. */
  readonly problems?: readonly SyncProblem[];
  /** The number of problems, those beyond the list too. */
  readonly problemCount?: number;
}

interface FailureLocation {
  readonly side?: DatabaseSide;
  readonly tableIndex?: number;
  /** Of the rules; past these, of the columns that the table's `where` names, as they first appear. */
  readonly columnIndex?: number;
  readonly constraintKind?: ConstraintKind;
}

/** One problem that keeps a job from running, found before a row moves. Indexes point into the command. */
export interface SyncProblem extends FailureLocation {
  readonly code: SyncFailureCode;
  /** A column that the command does not list. */
  readonly column?: SqlName;
  /** A constraint or unique index of the target that the rows would break. */
  readonly constraint?: SqlName;
  readonly difference?: ColumnDifference;
  readonly sourceType?: ColumnType;
  readonly targetType?: ColumnType;
  readonly privilege?: MissingPrivilege;
}

/** A failure as it arrives from an agent of any version. */
export type Failure = Received<Omit<SyncFailure, 'verification'>>;
export type FailureProblem = Received<SyncProblem>;

/** The shape of T with plain strings: another version may report codes and names that this one does not know. */
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

export type ConstraintKind = 'not_null' | 'unique' | 'foreign_key' | 'check' | 'exclusion';

/**
 * An identifier that a catalog of PostgreSQL holds (type `name`). No other text may leave the agent in a message of its own
 * (docs/adr/0016). `sqlName` of libs/postgres makes it where catalogs are read; nothing else does.
 */
export type SqlName = string & { readonly [isSqlName]: true };
declare const isSqlName: unique symbol;

/** How a column of an existing target table differs from the source's: names of ColumnDifference of the contract. */
export type ColumnDifference = 'missing' | 'extra' | 'type' | 'collation' | 'generated' | 'enum_values';

export interface ColumnType {
  readonly name?: SqlName;
  readonly length?: number;
}

/** A privilege that the role of a connection lacks, on the table of the problem unless `object` names another object. */
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

/**
 * A job's failure. `failure` goes to the control plane; `cause` may quote row values (PostgreSQL's DETAIL does) and
 * therefore stays in the agent's local log.
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
