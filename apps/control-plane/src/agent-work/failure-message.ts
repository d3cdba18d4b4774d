import type { AgentFailure } from '../agent-link/sync-job-event.js';
import { CANCELLED } from './work-state.js';

/** What this side knows by name; agents speak of tables and columns by index. */
export interface Names {
  readonly table: (index: number | undefined) => string | undefined;
  readonly column: (table: number | undefined, column: number | undefined) => string | undefined;
}

/** Failures of the attempt, not of the work: another agent, or the same one later, may well succeed. */
const RETRYABLE = new Set([
  'agent_restarted',
  'connection_lost',
  'hosted_model_unavailable',
  'lease_lost',
  'snapshot_lost',
  'stalled',
]);

export function isRetryable(code: string): boolean {
  return RETRYABLE.has(code);
}

/** How one kind of work speaks of its failures. */
export interface Wording {
  /** `the source database`; undefined: it is not said which one. */
  readonly database: (side: 'source' | 'target' | undefined) => string;
  /** What the failure has left behind, as a sentence. */
  readonly outcome: string;
  /** Sentences of its own, for codes of its own or instead of the common ones. */
  readonly own: Readonly<Record<string, Sentence>>;
}

export const SYNC_JOB_WORDING: Wording = {
  database: (side) => (side === undefined ? 'a database' : `the ${side} database`),
  outcome: 'The target is as it was before.',
  own: {},
};

/**
 * A failure for the work's owner: what happened, where, and what to do. Composed here from a code and indexes alone, so no
 * value, host or text of a server can be in it.
 */
export function failureMessage(failure: AgentFailure, names: Names, wording = SYNC_JOB_WORDING): string {
  const compose = sentenceOf(failure.code, wording) ?? INTERNAL;
  const place: Place = {
    database: wording.database(failure.side),
    outcome: wording.outcome,
    table: quoted('table', names.table(failure.tableIndex)),
    column: quoted('column', names.column(failure.tableIndex, failure.columnIndex)),
    constraint: CONSTRAINTS[failure.constraintKind ?? ''] ?? 'a constraint',
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

export type Sentence = (place: Place) => string;

export interface Place {
  /** `the source database` */
  readonly database: string;
  readonly outcome: string;
  /** `table "customers"`, or undefined */
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string;
}

function quoted(kind: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : `${kind} ${JSON.stringify(name)}`;
}

/** `column "email" of table "customers"`, or as much of it as is known. */
export function where({ table, column, database }: Place): string {
  if (table && column) return `${column} of ${table}`;
  return table ?? database;
}

const INTERNAL: Sentence = (p) =>
  `The agent met a fault of its own at ${where(p)}; its log on your side has the details. ${p.outcome}`;

const MESSAGES: Readonly<Record<string, Sentence>> = {
  internal: INTERNAL,
  policy_denied: (p) =>
    `The agent's policy file does not admit ${p.table ? where(p) : p.database} for this use. Add it to the policy on the agent's machine, or use a database that it names.`,
  connection_failed: (p) =>
    `The agent could not connect to ${p.database}. Check host, port and firewall as seen from the agent's machine.`,
  authentication_failed: (p) =>
    `${capital(p.database)} refused the user or the password of the connection string.`,
  database_not_found: (p) =>
    `${capital(p.database)} does not exist on its server. Create it, or correct its name.`,
  secret_unreadable: (p) =>
    `The agent could not open the sealed connection string of ${p.database}. It may have been enrolled anew since: post the job again.`,
  server_too_old: (p) => `The server of ${p.database} is older than PostgreSQL 14, the oldest one supported.`,
  pg_dump_too_old: (p) =>
    `The server of ${p.database} is newer than the pg_dump on the agent's machine. Install the client tools of the server's major version there.`,
  pg_dump_missing: () =>
    `pg_dump and pg_restore were not found on the agent's machine. Install the PostgreSQL client tools there, or set UNDERSTUDY_AGENT_PG_BIN_DIR.`,
  table_not_found: (p) =>
    `${capital(p.table ?? 'A table')} does not exist in ${p.database}. Names are read as in SQL: without a schema they mean public, and capitals need double quotes.`,
  column_not_found: (p) =>
    `The rule for ${p.column ?? 'a column'} has no column to go with: ${p.table ?? 'the table'} of ${p.database} has none of that name.`,
  column_unlisted: (p) =>
    `${capital(p.table ?? 'A table')} of the source has a column without a rule, and unlisted_columns is "reject". Add a rule for it or allow it.`,
  column_mismatch: (p) =>
    `${capital(p.table ?? 'A table')} has other columns, or columns of other types, on the target than on the source. Bring the target's table in line, or drop it to have it created.`,
  rule_invalid: (p) => `The rule for ${where(p)} does not fit the column's type.`,
  rule_misfit: (p) =>
    `The rule for ${where(p)} makes values that the column does not take: of another type, too long or too large, not of its enum, against a CHECK constraint, or NULL where NULL is not allowed. Nothing was copied. ${p.outcome}`,
  unique_capacity: (p) =>
    `The rule for ${where(p)} has fewer different values than the column has rows, and no value may repeat there. ${p.outcome} Let the rule make more: a wider range, more digits, or a template with {{uuid}} in it.`,
  key_rules_contradict: (p) =>
    `The rule for ${where(p)} and that of the other end of its foreign key would make different values. Give the key alone a rule (what references it follows), or both the same one. Both columns need types of one kind.`,
  key_referenced_elsewhere: (p) =>
    `The rule for ${where(p)} would change a key that another table of the target references. List that table in the job too, or leave the key as it is.`,
  key_too_large: (p) =>
    `The values of ${where(p)} are too many to be told apart in the agent's memory (10,000,000 is the most). ${p.outcome} Use a rule that needs no memory: a uuid, a template with {{uuid}} in it, or integers from a range that holds the originals.`,
  model_not_found: (p) =>
    `The model that the rule for ${where(p)} names is not on the agent. Train it there, or add "train" to the rule.`,
  hosted_model_missing: (p) =>
    `A custom model that the rules name was deleted after the job was accepted. ${p.outcome} Upload it and post the job again.`,
  hosted_model_mismatch: (p) =>
    `A custom model reached the agent with other content than it had when the job was accepted; the agent refuses it. ${p.outcome} Check what stands between the agent and the control plane.`,
  hosted_model_unavailable: (p) =>
    `The agent could not fetch a custom model from the control plane, on each attempt. ${p.outcome} Check that it reaches UNDERSTUDY_CONTROL_URL.`,
  training_refused: (p) =>
    `No private model can be trained on ${where(p)}: it needs a text column with enough distinct values (100 at least).`,
  generation_failed: (p) => `The rule for ${where(p)} could not produce a value. Loosen its constraints.`,
  permission_denied: (p) =>
    `The user of ${p.database} lacks a privilege${p.table ? ` on ${p.table}` : ''}: SELECT is needed on the source; CREATE on the target database, and ownership of the tables there (or SELECT, INSERT and TRUNCATE, where no trigger, rule or foreign key is to be switched off).`,
  constraint_violation: (p) =>
    `The new rows of ${where(p)} break ${p.constraint} of the target. ${p.outcome} The agent's log on your side names the rows.`,
  value_invalid: (p) =>
    `A value for ${where(p)} is not acceptable to the column's type on the target, or is too large to be masked (documents over 16 MiB or 500 levels, ruled columns over 64 MiB a row). ${p.outcome}`,
  connection_lost: (p) => `The connection to ${p.database} was lost, on each attempt. ${p.outcome}`,
  lease_lost: () =>
    `No agent kept in touch long enough to finish the job, on any of its attempts. Check that the agent runs and can reach the control plane.`,
  same_database: () => `Source and target are the same database. Choose another target.`,
  database_error: (p) =>
    `${capital(p.database)} refused a statement${p.table ? ` on ${p.table}` : ''}. ${p.outcome} The agent's log on your side has the server's words.`,
  disk_full: (p) => `${capital(p.database)} has run out of space. ${p.outcome}`,
  create_failed: (p) =>
    `${capital(p.table ?? 'A table')} could not be created on the target from the source's definition: something it needs (a type, an extension, a function) is missing there. ${p.outcome}`,
  verification_failed: (p) =>
    `What was copied of ${p.table ? where(p) : 'the tables'} is not what was to be copied: "verification" says which check found it. ${p.outcome} The agent's log on your side has the details; please report it.`,
  prerequisite_missing: (p) =>
    `A missing table needs an extension, a range type or the like that the target does not have, and that cannot be created there without being seen before the job completes. ${p.outcome} The agent's log on your side names it: create it on the target and post the job again.`,
  where_invalid: (p) =>
    `The agent does not read the where of ${p.table ?? 'a table'}: its version is older than the condition needs. ${p.outcome} Update the agent.`,
  where_column_not_found: (p) =>
    `The where of ${p.table ?? 'a table'} names ${p.column ?? 'a column'}, which the table does not have. Names are read as in SQL: capitals need double quotes.`,
  where_type_mismatch: (p) =>
    `The where of ${p.table ?? 'a table'} compares ${p.column ?? 'a column'} with something of another type, or it is of a type that conditions do not compare. Dates and times are written in ISO 8601.`,
  subset_too_large: (p) =>
    `The subset has more rows, over more of the tables' pages, than the agent keeps track of in its memory. ${p.outcome} Ask for fewer rows, or leave out the subset.`,
  subset_not_possible: (p) =>
    `${capital(p.table ?? 'A table')} has a partition that is a foreign table, or rows whose place is not fixed: no subset of it, or of a table that it refers to, can be taken. ${p.outcome}`,
  cancelled: () => CANCELLED.message,
  snapshot_lost: (p) =>
    `The transaction that held the source as of one instant has ended, on each attempt. ${p.outcome} Look for what ends long transactions there: a restart, an administrator, idle_in_transaction_session_timeout, old_snapshot_threshold.`,
  lock_timeout: (p) =>
    `Another session holds a lock on ${where(p)}${p.table ? ` in ${p.database}` : ''}, and did not let go of it in time. ${p.outcome} The agent's log on your side names its process.`,
  stalled: (p) =>
    `Nothing moved any more between the agent and ${p.database}, on each attempt, and no lock is the reason. ${p.outcome} Check the network between them.`,
  pooler_unsupported: (p) =>
    `${capital(p.database)} is reached through a pooler that gives each transaction another server process (PgBouncer's pool_mode "transaction" or "statement"). Name the server itself, or a pool with pool_mode "session".`,
  agent_restarted: () => `The agent ended while it worked on the job, on each attempt. Look at its log.`,
};

const CONSTRAINTS: Readonly<Record<string, string>> = {
  not_null: 'a NOT NULL constraint',
  unique: 'a unique constraint',
  foreign_key: 'a foreign key',
  check: 'a check constraint',
  exclusion: 'an exclusion constraint',
};

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
