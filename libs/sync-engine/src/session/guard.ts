import { databaseError, DatabaseError, sideOfError } from '@understudy/postgres/session';
import type { SyncFailureCode } from '@understudy/sync-job';
import {
  type DatabaseSide,
  defined,
  type SqlName,
  type SyncFailure,
  SyncJobError,
} from '@understudy/sync-job/failure';

/** Determines the side, table, column and constraint in the report of a database error. */
export interface FailureContext {
  readonly side: DatabaseSide;
  /** The table index of a failure, unless the error names another table of the job. */
  readonly tableIndex?: number | undefined;
  readonly tableIndexOf?: (schema: string, table: string) => number | undefined;
  readonly columnIndexOf?: (tableIndex: number, column: string) => number | undefined;
  /** Returns whether the context of an error names the function of an event trigger. */
  readonly isInEventTrigger?: (where: string) => boolean;
  /**
   * Returns the name if the catalogs have a constraint of this name. The name in an error proves nothing,
   * because a trigger can set any name.
   */
  readonly constraintOf?: (name: string) => SqlName | undefined;
  /** Returns whether a rule of the job makes values of a column that the constraint reads. */
  readonly readsRuledColumn?: (tableIndex: number, constraint: string) => boolean;
  /** The failure code for errors that have no specific code. */
  readonly otherwise?: SyncFailureCode;
}

/**
 * Runs work that uses both databases or no session, such as pg_dump, and locates its errors. Queries of one database
 * need no guard on a {@link LocatedClient}.
 */
export async function guard<T>(context: FailureContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw locatedError(context, error);
  }
}

/** Converts an error into a {@link SyncJobError} with the table and column. The driver's error is its cause. */
export function locatedError(context: FailureContext, error: unknown): SyncJobError {
  if (error instanceof SyncJobError) return error;
  return new SyncJobError(failureIn(context, error), { cause: driverError(error) });
}

/** Returns the driver's error that an error reports, or the error itself. */
export function driverError(error: unknown): unknown {
  return error instanceof SyncJobError || error instanceof DatabaseError ? error.cause : error;
}

/**
 * Describes an error by a code and by positions in the command's lists of tables and columns. Leaves out the
 * error's message and DETAIL, because these quote row values.
 */
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
  const isOfRule =
    constraintKind !== undefined &&
    tableIndex !== undefined &&
    constraint !== undefined &&
    context.readsRuledColumn?.(tableIndex, constraint) === true;
  if (isOfEventTrigger(context, error))
    return { code: 'event_trigger_refused', side, ...defined({ tableIndex, sqlstate }) };
  const failure = {
    code: isOfRule
      ? ('constraint_broken_by_rule' as const)
      : code === 'database_error'
        ? (context.otherwise ?? code)
        : code,
    side,
    ...defined({ tableIndex, columnIndex, constraintKind }),
  };
  const reported = { ...failure, ...defined({ sqlstate }) };
  const broken = constraint === undefined ? undefined : context.constraintOf?.(constraint);
  if (constraintKind === undefined || broken === undefined) return reported;
  return { ...reported, problems: [{ ...failure, constraint: broken }], problemCount: 1 };
}

/** Tests whether an event trigger raised an error for a reason of its own. */
function isOfEventTrigger({ isInEventTrigger }: FailureContext, error: unknown): boolean {
  const { code, where } = (driverError(error) ?? {}) as Record<string, unknown>;
  return typeof where === 'string' && !isOfServer(code) && isInEventTrigger?.(where) === true;
}

/**
 * Tests whether an error without an SQLSTATE, or with this one, has its reason in the connection or the server. A lock
 * that is not available (55P03) has its reason in the statement.
 */
export function isOfServer(sqlstate: unknown): boolean {
  return typeof sqlstate !== 'string' || /^(?:08|53|55(?!P03)|57|58|XX|E)/.test(sqlstate);
}

/**
 * The failure of an attempt whose COMMIT got no reply and whose ledger cannot be read. The target may be switched, so
 * the ledger and the right to try again must last until an attempt can read it, even if the job was stopped.
 */
export class OutcomeUnknown extends SyncJobError {
  constructor(cause: SyncJobError) {
    super({ code: 'connection_lost', side: 'target' }, { cause });
  }
}

/** Returns the failure that an attempt must report for an error. */
export function failureOf(error: unknown, signal: AbortSignal): SyncFailure {
  // Other errors after the abort are consequences of the abort.
  if (signal.aborted && !(error instanceof OutcomeUnknown)) {
    return signal.reason instanceof SyncJobError ? signal.reason.failure : { code: 'lease_lost' };
  }
  return withItsCheck(failureBehind(error));
}

/** Returns the failure behind an error. A query may fail without a {@link guard}, as on a session that broke while idle. */
export function failureBehind(error: unknown): SyncFailure {
  if (error instanceof SyncJobError) return error.failure;
  const side = error instanceof DatabaseError ? error.side : sideOfError(error);
  return side === undefined ? { code: 'internal' } : failureIn({ side }, error);
}

/**
 * Adds the failed check `masked_columns` to a failure `verification_failed` that contains no checks. Masking
 * throws such a failure if a masked cell keeps its original value.
 */
function withItsCheck(failure: SyncFailure): SyncFailure {
  const { code, tableIndex, columnIndex, verification } = failure;
  if (code !== 'verification_failed' || verification !== undefined || tableIndex === undefined)
    return failure;
  const location = { tableIndex, ...defined({ columnIndex }) };
  const check = { kind: 'masked_columns', ...location, ok: false, lookedAt: 1 } as const;
  return { ...failure, verification: { checks: [check] } };
}
