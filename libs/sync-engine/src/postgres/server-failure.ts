import type { ConstraintKind, SyncFailure, SyncFailureCode } from '../sync/sync-job-error.js';
import { isDocumentedSqlstate } from './documented-sqlstates.js';
import type { SqlName } from './sql-name.js';

export type DatabaseSide = 'source' | 'target';

/** What is known about the act that failed. */
export interface FailureContext {
  readonly side: DatabaseSide;
  /** The table at hand, unless the error names another one of the job. */
  readonly tableIndex?: number;
  readonly tableIndexOf?: (schema: string, table: string) => number | undefined;
  readonly columnIndexOf?: (tableIndex: number, column: string) => number | undefined;
  /** What the catalogs have of that name: an error can name what a trigger has made up. */
  readonly constraintOf?: (name: string) => SqlName | undefined;
  /** For an error that has no code of its own. */
  readonly otherwise?: SyncFailureCode;
}

const CONSTRAINTS: Readonly<Record<string, ConstraintKind>> = {
  '23502': 'not_null',
  '23505': 'unique',
  '23503': 'foreign_key',
  '23514': 'check',
  '23P01': 'exclusion',
};
const CODES: Readonly<Record<string, SyncFailureCode>> = {
  '42501': 'permission_denied',
  '53100': 'disk_full',
  '55P03': 'lock_timeout',
  '57P01': 'connection_lost',
  '57P02': 'connection_lost',
  '57P03': 'connection_lost',
};

/**
 * What of an error of PostgreSQL, or of the socket to it, may be reported: its class. Message and DETAIL quote row values
 * and stay with the error, which the caller keeps as a cause for the local log.
 */
export function serverFailure(error: unknown, context: FailureContext): SyncFailure {
  const { code, schema, table, column, constraint } = fieldsOf(error);
  const named =
    schema !== undefined && table !== undefined ? context.tableIndexOf?.(schema, table) : undefined;
  const tableIndex = named ?? context.tableIndex;
  const columnIndex =
    tableIndex === undefined || column === undefined
      ? undefined
      : context.columnIndexOf?.(tableIndex, column);
  const place = {
    side: context.side,
    ...(tableIndex === undefined ? {} : { tableIndex }),
    ...(columnIndex === undefined ? {} : { columnIndex }),
  };
  if (!isServerError(error)) return { code: 'connection_lost', ...place };
  const sqlstate = isDocumentedSqlstate(code) ? { sqlstate: code } : {};
  const constraintKind = CONSTRAINTS[code];
  if (constraintKind !== undefined) {
    const violation = { code: 'constraint_violation', ...place, constraintKind } as const;
    const named = constraint === undefined ? undefined : context.constraintOf?.(constraint);
    if (named === undefined) return { ...violation, ...sqlstate };
    return { ...violation, ...sqlstate, problems: [{ ...violation, constraint: named }], problemCount: 1 };
  }
  return { code: codeOf(code, context), ...place, ...sqlstate };
}

function codeOf(sqlstate: string, context: FailureContext): SyncFailureCode {
  const known = CODES[sqlstate];
  if (known !== undefined) return known;
  if (sqlstate.startsWith('08')) return 'connection_lost';
  if (sqlstate.startsWith('22')) return 'value_invalid';
  return context.otherwise ?? 'database_error';
}

/** Errors of pg's protocol carry the severity; those of the socket do not. */
function isServerError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'severity' in error;
}

interface ErrorFields {
  readonly code: string;
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
}

// The context line of an error inside COPY: `COPY t, line 3, column email: "…"`.
const COPY_COLUMN = /^COPY .*, line \d+, column (.+?)(?::|$)/;

function fieldsOf(error: unknown): ErrorFields {
  if (typeof error !== 'object' || error === null) return { code: '' };
  const fields = error as Record<string, unknown>;
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined);
  return {
    code: text('code') ?? '',
    schema: text('schema'),
    table: text('table'),
    column: text('column') ?? COPY_COLUMN.exec(text('where') ?? '')?.[1],
    constraint: text('constraint'),
  };
}
