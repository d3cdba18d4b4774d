import { databaseError, DatabaseError } from '@understudy/postgres';
import {
  type DatabaseSide,
  type SqlName,
  type SyncFailure,
  type SyncFailureCode,
  SyncJobError,
} from '@understudy/sync-job';

/** The facts that are known about work on a database, if it fails. */
export interface FailureContext {
  readonly side: DatabaseSide;
  /** The table at hand, unless the error names another one of the job. */
  readonly tableIndex?: number;
  readonly tableIndexOf?: (schema: string, table: string) => number | undefined;
  readonly columnIndexOf?: (tableIndex: number, column: string) => number | undefined;
  /** The constraint of that name in the catalogs: a trigger can make up a name. */
  readonly constraintOf?: (name: string) => SqlName | undefined;
  /** For an error that has no code of its own. */
  readonly otherwise?: SyncFailureCode;
}

/** Runs work on a database; an error becomes a {@link SyncJobError} with its location, and the driver's error as its cause. */
export async function guard<T>(context: FailureContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SyncJobError) throw error;
    const cause = error instanceof DatabaseError ? error.cause : error;
    throw new SyncJobError(failureIn(context, error), { cause });
  }
}

/** Reports an error by its class and by indexes of the command. Message and DETAIL, which quote row values, are left out. */
export function failureIn(context: FailureContext, error: unknown): SyncFailure {
  const { code, side, sqlstate, constraintKind, names } = databaseError(error, context.side);
  const { schema, table, column, constraint } = names;
  const named =
    schema !== undefined && table !== undefined ? context.tableIndexOf?.(schema, table) : undefined;
  const tableIndex = named ?? context.tableIndex;
  const columnIndex =
    tableIndex === undefined || column === undefined
      ? undefined
      : context.columnIndexOf?.(tableIndex, column);
  const failure = {
    code: code === 'database_error' ? (context.otherwise ?? code) : code,
    side,
    ...(tableIndex === undefined ? {} : { tableIndex }),
    ...(columnIndex === undefined ? {} : { columnIndex }),
    ...(constraintKind === undefined ? {} : { constraintKind }),
  };
  const reported = { ...failure, ...(sqlstate === undefined ? {} : { sqlstate }) };
  const broken = constraint === undefined ? undefined : context.constraintOf?.(constraint);
  if (constraintKind === undefined || broken === undefined) return reported;
  return { ...reported, problems: [{ ...failure, constraint: broken }], problemCount: 1 };
}

/** What an attempt that threw has to report. */
export function failureOf(error: unknown, signal: AbortSignal): SyncFailure {
  // Whatever broke after the abort broke because of it.
  if (signal.aborted) {
    return signal.reason instanceof SyncJobError ? signal.reason.failure : { code: 'lease_lost' };
  }
  return error instanceof SyncJobError ? withItsCheck(error.failure) : { code: 'internal' };
}

/** A cell that kept its value fails the job at once, before any other check was made. */
function withItsCheck(failure: SyncFailure): SyncFailure {
  const { code, tableIndex, columnIndex, verification } = failure;
  if (code !== 'verification_failed' || verification !== undefined || tableIndex === undefined)
    return failure;
  const place = columnIndex === undefined ? {} : { columnIndex };
  const check = { kind: 'masked_columns', tableIndex, ...place, ok: false, lookedAt: 1 } as const;
  return { ...failure, verification: { checks: [check] } };
}
