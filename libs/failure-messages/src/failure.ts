/** What the engine tells of a failure: codes, and indexes into the tables and columns that the job names. */
export interface Failure extends FailurePlace {
  /** `connection_failed`, `constraint_violation`, … */
  readonly code: string;
  /** What the checks before the first row found, when that is more than the above says. */
  readonly problems?: readonly FailureProblem[];
  /** Those beyond the list too. */
  readonly problemCount?: number;
}

export interface FailurePlace {
  readonly side?: 'source' | 'target';
  readonly tableIndex?: number;
  readonly columnIndex?: number;
  readonly constraintKind?: string;
  readonly sqlstate?: string;
}

/** One thing that stands in a job's way. Names are identifiers of the databases' catalogs. */
export interface FailureProblem extends FailurePlace {
  readonly code: string;
  /** When the job does not list the column. */
  readonly column?: string;
  /** Of the target, when it is known which one. */
  readonly constraint?: string;
  readonly difference?: string;
  readonly sourceType?: ColumnTypeName;
  readonly targetType?: ColumnTypeName;
  readonly privilege?: LackingPrivilege;
}

export interface ColumnTypeName {
  readonly name?: string;
  readonly length?: number;
}

/** What the role of a connection lacks, on the problem's table unless another object is named. */
export interface LackingPrivilege {
  readonly privilege: string;
  readonly objectKind: string;
  readonly schema?: string;
  readonly object?: string;
  readonly role?: string;
  readonly owner?: string;
}
