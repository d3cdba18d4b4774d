import type { Failure, FailureProblem } from './failure.js';
import { MESSAGES } from './messages.js';
import type { Names } from './names.js';
import { capital, type Place, type Sentence, SYNC_JOB_WORDING, type Wording } from './wording.js';

/**
 * A failure for the job's owner: what happened, where, and what to do. Composed of a code and indexes alone, so no value, host or text of
 * a server can be in it.
 */
export function failureMessage(
  failure: Failure & Pick<FailureProblem, 'column' | 'constraint'>,
  names: Names,
  wording = SYNC_JOB_WORDING,
): string {
  const compose = sentenceOf(failure.code, wording) ?? (MESSAGES['internal'] as Sentence);
  const table = quoted('table', names.table(failure.tableIndex));
  const column = quoted('column', names.column(failure.tableIndex, failure.columnIndex) ?? failure.column);
  const database = wording.database(failure.side);
  const { outcome, worker, machine, log, again, eachTime } = wording;
  const place: Place = {
    database,
    Database: capital(database),
    table,
    column,
    where: table && column ? `${column} of ${table}` : (table ?? database),
    constraint: constraintOf(failure),
    ...{ outcome, worker, Worker: capital(worker), machine, log, again, eachTime },
  };
  const sqlstate = /^[0-9A-Z]{5}$/.test(failure.sqlstate ?? '') ? ` (SQLSTATE ${failure.sqlstate})` : '';
  return `${compose(place)}${sqlstate}`;
}

/** A code this version does not know is `internal`. */
export function knownCode(code: string, wording = SYNC_JOB_WORDING): string {
  return sentenceOf(code, wording) === undefined ? 'internal' : code;
}

function sentenceOf(code: string, { own }: Wording): Sentence | undefined {
  const table = Object.hasOwn(own, code) ? own : MESSAGES;
  return Object.hasOwn(table, code) ? table[code] : undefined;
}

function quoted(kind: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : `${kind} ${JSON.stringify(name)}`;
}

function constraintOf({
  constraintKind,
  constraint,
}: Pick<FailureProblem, 'constraintKind' | 'constraint'>): string {
  const kind = CONSTRAINTS[constraintKind ?? ''] ?? 'a constraint';
  return constraint === undefined ? kind : `${kind.replace(/^an? /, 'the ')} ${JSON.stringify(constraint)}`;
}

const CONSTRAINTS: Readonly<Record<string, string>> = {
  not_null: 'a NOT NULL constraint',
  unique: 'a unique constraint',
  foreign_key: 'a foreign key',
  check: 'a check constraint',
  exclusion: 'an exclusion constraint',
};
