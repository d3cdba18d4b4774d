import type { SqlName } from '../../postgres/sql-name.js';
import type { ConstraintKind, SyncFailureCode } from '../sync-job-error.js';

/** One thing that stands in a job's way, found before a row moves. Indexes point into the command. */
export interface SyncProblem {
  readonly code: SyncFailureCode;
  readonly side?: 'source' | 'target';
  readonly tableIndex?: number;
  readonly columnIndex?: number;
  readonly constraintKind?: ConstraintKind;
  /** A column that the command does not list. */
  readonly column?: SqlName;
  readonly difference?: ColumnDifference;
  readonly sourceType?: ColumnType;
  readonly targetType?: ColumnType;
  readonly privilege?: MissingPrivilege;
}

/** How a column of an existing target table differs from the source's: names of ColumnDifference of the contract. */
export type ColumnDifference = 'missing' | 'extra' | 'type' | 'collation' | 'generated' | 'enum_values';

export interface ColumnType {
  readonly name?: SqlName;
  readonly length?: number;
}

/** What the role of a connection lacks, on the table of the problem unless `object` names another thing. */
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
