import type { Failure, FailureProblem } from './failure.js';
import { FAILURES, failureDefinition } from './failures.js';
import { quoteIdentifier } from './missing-privilege.js';
import type { Names } from './names.js';
import { writeTableName } from '../request/table-name.js';
import { SYNC_JOB_MESSAGES, type MessageSet } from './message-set.js';
import { capital, type MessageTemplate, type Placeholders } from './message-template.js';

/**
 * Writes the message of a failure for the job's owner: what happened, where, and what to do. The message
 * consists of fixed texts, and names of tables, columns and constraints. It contains no row value, no host
 * and no message of a server.
 */
export function failureMessage(
  failure: Failure &
    Pick<
      FailureProblem,
      | 'column'
      | 'constraint'
      | 'relationKind'
      | 'locksPerTransaction'
      | 'object'
      | 'objectRole'
      | 'creating'
      | 'table'
      | 'sessionsNeeded'
      | 'sessionsHad'
      | 'sessionLimit'
    >,
  names: Names,
  messages = SYNC_JOB_MESSAGES,
): string {
  const compose = templateOf(failure.code, messages) ?? FAILURES.internal.text;
  const table = quoted('table', names.table(failure.tableIndex) ?? unlistedName(failure.table));
  const listed = names.column(failure.tableIndex, failure.columnIndex);
  const column = quoted('column', listed ?? failure.column);
  const database = messages.database(failure.side);
  const { worker, machine, log, again, resuming, eachTime, unlessCommitted } = messages;
  const isTargetLost =
    failure.code === 'connection_lost' && failure.side === 'target' && unlessCommitted !== '';
  const outcome = isTargetLost ? `${messages.outcome} ${unlessCommitted}` : messages.outcome;
  const placeholders: Placeholders = {
    database,
    Database: capital(database),
    table,
    column,
    similar: listed === undefined ? undefined : quoted('column', failure.column),
    where: table && column ? `${column} of ${table}` : (table ?? database),
    constraint: constraintOf(failure),
    isConstraintKnown: failure.constraintKind !== undefined,
    isForeignKey: failure.constraintKind === 'foreign_key',
    mayLackPartition: mayLackPartition(failure),
    object: objectOf(failure.object),
    objectRole: failure.objectRole === undefined ? undefined : `role ${quoteIdentifier(failure.objectRole)}`,
    creating: objectOf(failure.creating),
    isExtension: failure.object?.kind === 'extension',
    setPath: setPath(failure.object),
    dropSchema: dropSchema(failure.object),
    locksPerTransaction: failure.locksPerTransaction,
    sessions: sessionsOf(failure),
    raiseSessions: RAISE_SESSIONS[failure.sessionLimit ?? ''] ?? RAISE_ANY_LIMIT,
    relation: RELATIONS[failure.relationKind ?? ''] ?? 'no table',
    ...{ outcome, worker, Worker: capital(worker), machine, log, again, resuming, eachTime },
  };
  const sqlstate = /^[0-9A-Z]{5}$/.test(failure.sqlstate ?? '') ? ` (SQLSTATE ${failure.sqlstate})` : '';
  return `${compose(placeholders)}${sqlstate}`;
}

/** Returns the code, or `internal` for a code that this version does not know. */
export function knownCode(code: string, messages = SYNC_JOB_MESSAGES): string {
  return templateOf(code, messages) === undefined ? 'internal' : code;
}

/** Returns every code that has a message in the set. */
export function failureCodes({ own }: MessageSet): readonly string[] {
  return [...new Set([...Object.keys(FAILURES), ...Object.keys(own)])];
}

function templateOf(code: string, { own }: MessageSet): MessageTemplate | undefined {
  return Object.hasOwn(own, code) ? own[code] : failureDefinition(code)?.text;
}

function quoted(kind: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : `${kind} ${JSON.stringify(name)}`;
}

/** Writes the name as a request does. */
function unlistedName(table: FailureProblem['table']): string | undefined {
  if (table?.schema === undefined || table.name === undefined) return undefined;
  return writeTableName({ schema: table.schema, table: table.name });
}

type BrokenConstraint = Pick<FailureProblem, 'code' | 'constraintKind' | 'constraint'>;

function constraintOf(failure: BrokenConstraint): string {
  const { constraintKind, constraint } = failure;
  const kind = CONSTRAINTS[constraintKind ?? ''] ?? 'a constraint';
  if (mayLackPartition(failure)) return `${kind} or the bounds of all partitions`;
  return constraint === undefined ? kind : `${kind.replace(/^an? /, 'the ')} ${JSON.stringify(constraint)}`;
}

/** Returns true for a row that no partition accepts. The server reports it like a CHECK constraint, but without a name. */
function mayLackPartition({ code, constraintKind, constraint }: BrokenConstraint): boolean {
  return code === 'constraint_violation' && constraintKind === 'check' && constraint === undefined;
}

/** Returns the kind and the name of an object. @returns undefined if the agent's policy hides the name */
export function objectOf(object: FailureProblem['object']): string | undefined {
  if (object?.name === undefined) return undefined;
  const kind = object.kind === 'other' ? 'object' : object.kind.replaceAll('_', ' ');
  return `${kind} ${quotedName(object)}`;
}

function sessionsOf({
  sessionsHad,
  sessionsNeeded,
}: Pick<FailureProblem, 'sessionsHad' | 'sessionsNeeded'>): string {
  if (sessionsHad === undefined || sessionsNeeded === undefined)
    return 'fewer sessions than a job needs at once';
  return `only ${sessionsHad} of the ${sessionsNeeded} sessions that a job needs at once`;
}

/** The sessions in use can include a snapshot keeper, which also counts against every limit. */
const OF_INTERRUPTED = 'An interrupted job keeps one session of its source for up to five minutes.';
const RAISE_SESSIONS: Readonly<Record<string, string>> = {
  pool_size: `It let the job wait for another session, as a connection pooler does. Raise the pool size (PgBouncer's default_pool_size, pool_size, max_db_connections and max_user_connections), or connect to the server directly. ${OF_INTERRUPTED}`,
  role: `The CONNECTION LIMIT of the role is reached. Raise it with ALTER ROLE, or end sessions of the role. ${OF_INTERRUPTED}`,
  database: `The CONNECTION LIMIT of the database is reached. Raise it with ALTER DATABASE, or end sessions of the database. ${OF_INTERRUPTED}`,
  max_connections: `The server's max_connections is reached. Raise it, or end sessions of the server. ${OF_INTERRUPTED}`,
};
const RAISE_ANY_LIMIT =
  "Raise the pooler's pool size, the CONNECTION LIMIT of the role or database, or the server's max_connections.";

function setPath(object: FailureProblem['object']): string {
  const schema = object?.schema === undefined ? '<schema>' : quoteIdentifier(object.schema);
  const name = object?.name === undefined ? '<function>' : quotedName(object);
  return `ALTER FUNCTION ${name} SET search_path = ${schema}, pg_temp`;
}

function dropSchema(object: FailureProblem['object']): string {
  return `DROP SCHEMA ${object?.name === undefined ? '<schema>' : quotedName(object)} CASCADE`;
}

function quotedName({ schema, name = '' }: NonNullable<FailureProblem['object']>): string {
  return [...(schema === undefined ? [] : [schema]), name].map(quoteIdentifier).join('.');
}

const RELATIONS: Readonly<Record<string, string>> = {
  view: 'a view',
  materialized_view: 'a materialized view',
  foreign_table: 'a foreign table',
  sequence: 'a sequence',
  index: 'an index',
  composite_type: 'a composite type',
  temporary_table: 'a temporary table',
};

const CONSTRAINTS: Readonly<Record<string, string>> = {
  not_null: 'a NOT NULL constraint',
  unique: 'a unique constraint',
  foreign_key: 'a foreign key',
  check: 'a check constraint',
  exclusion: 'an exclusion constraint',
};
