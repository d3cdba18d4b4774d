import type { ConstraintKind, DatabaseSide, SessionLimit } from '@understudy/sync-job';
import { isDocumentedSqlstate } from './documented-sqlstates.js';

export type DatabaseErrorCode =
  | 'connection_failed'
  | 'authentication_failed'
  | 'database_not_found'
  | 'permission_denied'
  | 'pooler_unsupported'
  | 'pg_dump_missing'
  | 'pg_dump_too_old'
  | 'pg_dump_failed'
  | 'agent_disk_low'
  | 'connection_lost'
  | 'constraint_violation'
  | 'database_error'
  | 'disk_full'
  | 'function_unresolved'
  | 'encoding_invalid'
  | 'locks_exhausted'
  | 'memory_exhausted'
  | 'sessions_exhausted'
  | 'setting_refused'
  | 'target_read_only'
  | 'lock_timeout'
  | 'value_invalid';

/** The names in an error of PostgreSQL. A trigger can invent names, so look them up before you report them. */
export interface NamesInError {
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
  /** The function that ran when the error occurred: its name, or its signature as `regprocedure` prints it. */
  readonly inFunction?: string | undefined;
}

interface DatabaseErrorFacts extends ErrorOptions {
  readonly sqlstate?: string;
  readonly constraintKind?: ConstraintKind;
  readonly names?: NamesInError;
  readonly sessionLimit?: SessionLimit;
}

/**
 * A failure of PostgreSQL, of a connection or of PostgreSQL's programs. Code, side, SQLSTATE and constraint kind may
 * leave the network. The cause must not, because messages and DETAIL of PostgreSQL quote row values.
 */
export class DatabaseError extends Error {
  /** One of PostgreSQL's documented SQLSTATEs. */
  readonly sqlstate?: string;
  readonly constraintKind?: ConstraintKind;
  readonly names: NamesInError;
  /** The limit on the number of sessions. Present only if a connection failed with `sessions_exhausted`. */
  readonly sessionLimit?: SessionLimit;

  constructor(
    readonly code: DatabaseErrorCode,
    readonly side: DatabaseSide,
    { sqlstate, constraintKind, names = {}, sessionLimit, ...options }: DatabaseErrorFacts = {},
  ) {
    super(code, options);
    this.name = 'DatabaseError';
    if (sqlstate !== undefined) this.sqlstate = sqlstate;
    if (constraintKind !== undefined) this.constraintKind = constraintKind;
    if (sessionLimit !== undefined) this.sessionLimit = sessionLimit;
    this.names = names;
  }
}

/** Classifies an error of the driver or its socket. Returns a {@link DatabaseError} unchanged. */
export function databaseError(cause: unknown, side: DatabaseSide): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  if (!isServerError(cause)) return new DatabaseError('connection_lost', side, { cause });
  const { code: sqlstate, ...names } = fieldsOf(cause);
  const constraintKind = CONSTRAINTS[sqlstate];
  const code = isUnresolved(sqlstate, cause) ? 'function_unresolved' : codeOf(sqlstate, side, cause);
  return new DatabaseError(constraintKind === undefined ? code : 'constraint_violation', side, {
    cause,
    names,
    ...(isDocumentedSqlstate(sqlstate) ? { sqlstate } : {}),
    ...(constraintKind === undefined ? {} : { constraintKind }),
  });
}

/** Classifies an error that occurred while a connection was opened. */
export function connectionError(cause: unknown, side: DatabaseSide): DatabaseError {
  const sessionLimit = sessionLimitOf(cause);
  if (sessionLimit !== undefined)
    return new DatabaseError('sessions_exhausted', side, { cause, sessionLimit });
  return new DatabaseError(connectionErrorCode(cause), side, { cause });
}

function sessionLimitOf(error: unknown): SessionLimit | undefined {
  const { code, routine, message } = error as { code?: unknown; routine?: unknown; message?: unknown };
  if (code === PROTOCOL_VIOLATION && POOL_EXHAUSTED.test(String(message))) return 'pool_size';
  if (code !== TOO_MANY_CONNECTIONS) return undefined;
  return SESSION_LIMITS[String(routine)] ?? 'max_connections';
}

const TOO_MANY_CONNECTIONS = '53300';
/** The functions of the server that enforce limits. The server never translates their names. */
const SESSION_LIMITS: Readonly<Record<string, SessionLimit>> = {
  InitializeSessionUserId: 'role',
  CheckMyDatabase: 'database',
};
const PROTOCOL_VIOLATION = '08P01';
/** PgBouncer reports its limits, and refusals of the server behind it, only in its messages. */
const POOL_EXHAUSTED = /^(?:query_wait_timeout|no more connections allowed|.*too many connections for )/;

function connectionErrorCode(error: unknown): DatabaseErrorCode {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const known = typeof code === 'string' ? CONNECTION_CODES[code] : undefined;
  if (known !== undefined) return known;
  // If the server requests a password and there is none, pg reports this only in its message.
  if (typeof message === 'string' && message.startsWith('SASL')) return 'authentication_failed';
  return 'connection_failed';
}

function codeOf(sqlstate: string, side: DatabaseSide, error: object): DatabaseErrorCode {
  // Jobs read the source in transactions that are read-only.
  if (sqlstate === READ_ONLY_TRANSACTION && side === 'target') return 'target_read_only';
  // A full lock table and a failed allocation have the same SQLSTATE.
  if (sqlstate === OUT_OF_MEMORY) return isFrom('lock.c', error) ? 'locks_exhausted' : 'memory_exhausted';
  const known = CODES[sqlstate];
  if (known !== undefined) return known;
  if (sqlstate.startsWith('08')) return 'connection_lost';
  if (sqlstate.startsWith('22')) return 'value_invalid';
  return 'database_error';
}

/**
 * Tests whether a function could not find another object while the server evaluated a row. Outside functions and rows,
 * the same SQLSTATEs mean that a statement itself names a missing object.
 */
function isUnresolved(sqlstate: string, error: object): boolean {
  const { where } = error as { where?: unknown };
  if (!UNDEFINED_OBJECTS.has(sqlstate) || typeof where !== 'string') return false;
  // A RAISE of the function may choose any SQLSTATE.
  if (isFrom('pl_exec.c', error) || isFrom('pl_comp.c', error)) return false;
  // A value of a type such as regclass names the missing object itself.
  return IN_FUNCTION.test(where) || (EVALUATED.test(where) && !COPY_COLUMN.test(where));
}

/** Undefined schema, object, function and table. */
const UNDEFINED_OBJECTS = new Set(['3F000', '42704', '42883', '42P01']);
const EVALUATED = /^(?:(?:PL\/\S+|SQL) function |COPY .*, line \d+)/m;
// The innermost function of the context, such as `PL/pgSQL function app.squash(text) line 1 at RETURN` or
// `SQL function "squash" during inlining`.
const IN_FUNCTION = /^(?:PL\/\S+|SQL) function (?:"(.+)"(?= |$)|(.+?\))(?= |$))/m;

const READ_ONLY_TRANSACTION = '25006';

/** Tests whether the server sent the error. Errors of the server have a severity; errors of the socket do not. */
function isServerError(error: unknown): error is object {
  return typeof error === 'object' && error !== null && 'severity' in error;
}

/** Tests which source file of the server raised the error. The server never translates this field. */
function isFrom(name: string, error: object): boolean {
  const { file } = error as { file?: unknown };
  return typeof file === 'string' && file.split(/[\\/]/).at(-1) === name;
}

// Matches the context line of an error inside COPY: `COPY t, line 3, column email: "…"`.
const COPY_COLUMN = /^COPY .*, line \d+, column (.+?)(?::|$)/;

function fieldsOf(error: unknown): NamesInError & { readonly code: string } {
  const fields = error as Record<string, unknown>;
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined);
  const inFunction = IN_FUNCTION.exec(text('where') ?? '');
  return {
    code: text('code') ?? '',
    schema: text('schema'),
    table: text('table'),
    column: text('column') ?? COPY_COLUMN.exec(text('where') ?? '')?.[1],
    constraint: text('constraint'),
    inFunction: inFunction?.[1] ?? inFunction?.[2],
  };
}

const CONSTRAINTS: Readonly<Record<string, ConstraintKind>> = {
  '23502': 'not_null',
  '23505': 'unique',
  '23503': 'foreign_key',
  '23514': 'check',
  '23P01': 'exclusion',
};
const OUT_OF_MEMORY = '53200';
const CODES: Readonly<Record<string, DatabaseErrorCode>> = {
  '22021': 'encoding_invalid',
  '22P05': 'encoding_invalid',
  '42501': 'permission_denied',
  '53100': 'disk_full',
  '53300': 'sessions_exhausted',
  '53400': 'disk_full',
  '55P03': 'lock_timeout',
  '57P01': 'connection_lost',
  '57P02': 'connection_lost',
  '57P03': 'connection_lost',
};
const CONNECTION_CODES: Readonly<Record<string, DatabaseErrorCode>> = {
  '28P01': 'authentication_failed',
  '28000': 'authentication_failed',
  '3D000': 'database_not_found',
  '42501': 'permission_denied',
};
