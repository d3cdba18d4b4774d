/** The message templates for one kind of job in one program, and the texts for the placeholders in the templates. */
export interface MessageSet {
  /** Returns words such as `the source database`, or `a database` if the side is undefined. */
  readonly database: (side: 'source' | 'target' | undefined) => string;
  /** A sentence about the state of the target after the failure. */
  readonly outcome: string;
  /** The program that runs the job: `the agent`. */
  readonly worker: string;
  /** The machine of the worker: `the agent's machine`. */
  readonly machine: string;
  /** The log of the worker, at the beginning of a sentence: `The agent's log on your side`. */
  readonly log: string;
  /** How the reader retries: `post the job again`. */
  readonly again: string;
  /** How a retry keeps the rows that are copied, after `again`: ` with --resume`. Empty if nothing is kept. */
  readonly resuming: string;
  /** The exception to `outcome` for a lost connection to the target. Empty if the work changes no target. */
  readonly unlessCommitted: string;
  /**
   * The text after an event that happened on each attempt: `, on each attempt`. Empty if a job has only one
   * attempt.
   */
  readonly eachTime: string;
  /** The location of the list of problems: `in details`. */
  readonly list: string;
  /** Templates by code that extend or replace the common ones. */
  readonly own: Readonly<Record<string, MessageTemplate>>;
}

/** The messages of sync jobs that agents run for a control plane. */
export const SYNC_JOB_MESSAGES: MessageSet = {
  database: (side) => (side === undefined ? 'a database' : `the ${side} database`),
  outcome: 'The target is as it was before.',
  worker: 'the agent',
  machine: "the agent's machine",
  log: "The agent's log on your side",
  again: 'post the job again',
  resuming: '',
  unlessCommitted:
    'If the connection was lost during the commit of the last step, the target may have the complete new content.',
  eachTime: ', on each attempt',
  list: 'in details',
  own: {},
};

/** The messages of sync jobs that the command line runs on the reader's own machine. */
export const LOCAL_SYNC_MESSAGES: MessageSet = {
  ...SYNC_JOB_MESSAGES,
  worker: 'understudy',
  machine: 'this machine',
  log: 'The log (run the command with --verbose)',
  again: 'run the job again',
  resuming: ' with --resume to continue after the rows that are copied',
  eachTime: '',
  list: 'below',
  own: {
    policy_denied: (p) => `${p.Database} cannot be used for this purpose.`,
    sslmode_too_weak: (p) => `The URL of ${p.database} requests encryption that is too weak.`,
    unlisted_not_rejected: (p) => `Columns of ${p.table ?? 'a table'} without a rule must be rejected.`,
    training_not_allowed: (p) => `No private model may be trained on ${p.where}.`,
    min_values_too_low: (p) => `The min_values of the rule for ${p.where} is too low.`,
    pg_dump_missing: () =>
      'pg_dump and pg_restore were not found on this machine. Install the PostgreSQL client tools, or pass their folder with --pg-bin-dir.',
    pg_dump_failed: (p) =>
      `pg_dump or pg_restore failed on this machine: it was killed, lacked memory, or could not write its files. ${p.outcome} Check the temporary folder and the free memory. ${p.log} has the details.`,
    too_few_values: (p) =>
      `The rule for ${p.where} sets "differs": true and makes fewer than 20 distinct values, so the original values could be guessed by elimination. ${p.outcome} Remove "differs", or let the rule make more values.`,
    source_code_refused: (p) =>
      p.isExtension
        ? extensionLacking(p)
        : `${capital(p.object ?? 'a function')} is code of the source, or calls it, and the definition of ${p.table ?? 'a missing table'} needs it. ${p.outcome} The option "source_code" cannot leave out types, partition keys, generated columns that have no rule, and parts of typed tables. Create the table on the target without this code, or remove the option.`,
    object_untrusted: (p) =>
      `The definition of ${p.table ?? 'a table'} needs ${p.object ?? 'an object'}, which the target has. It belongs to another role, which could run code of its own with the role of the job. ${p.outcome} If you trust the object, give it to the owner of the database with ALTER … OWNER TO. Otherwise, drop it. The job creates what a missing table needs.`,
    superuser_target: (p) => `The role of ${p.database} is a superuser, or can become one.`,
    differs_refused: (p) => `The rule for ${p.where} sets "differs": true, and the column is protected.`,
    consistent_range_refused: (p) =>
      `The rule for ${p.where} combines "consistent" with a range of integers, and the column is protected.`,
    model_text_refused: (p) =>
      `The rule for ${p.where} chooses, compares, tests or cuts text of a private model, and columns are protected.`,
    model_not_found: (p) =>
      `The rule for ${p.where} names a private model that this state folder does not contain, or whose file cannot be read. Add "train" to the rule, or pass the folder that contains the model with --state.`,
    hosted_model_missing: (p) => `A model file that the job file names no longer exists. ${p.outcome}`,
    hosted_model_mismatch: (p) => `A model file changed while it was read. ${p.outcome} Run the job again.`,
    hosted_model_unavailable: (p) => `A model file cannot be read. ${p.outcome}`,
    where_invalid: (p) => `The where of ${p.table ?? 'a table'} cannot be read. ${p.outcome}`,
    lease_lost: () =>
      'Another run of this job has taken over. This run ended and has changed nothing since then.',
    connection_lost: (p) =>
      `The connection to ${p.database} was lost. ${p.outcome} ${capital(p.again)}${p.resuming}.`,
    snapshot_lost: (p) =>
      `The transaction that held the snapshot of the source has ended. ${p.outcome} Find out what ends long transactions on the source: a restart, an administrator, idle_in_transaction_session_timeout or old_snapshot_threshold.`,
    stalled: (p) =>
      `No data moved between this machine and ${p.database} for too long, and no lock is the reason. ${p.outcome} Check the network between them, and ${p.again}${p.resuming}.`,
    cancelled: (p) => `The job was stopped. ${p.outcome}`,
    agent_restarted: (p) => `The job was stopped. ${p.outcome}`,
    agent_revoked: (p) => `The job was stopped. ${p.outcome}`,
    agent_disk_low: (p) =>
      `This machine has too little free disk space. ${p.outcome} Free some space and run the job again.`,
    secret_unreadable: (p) => `The URL of ${p.database} cannot be read.`,
  },
};

/** The messages of commands that read both databases and change none: `understudy verify` and a dry run. */
export const LOCAL_CHECK_MESSAGES: MessageSet = {
  ...LOCAL_SYNC_MESSAGES,
  outcome: 'The target is unchanged.',
  again: 'run the command again',
  ...{ resuming: '', unlessCommitted: '' },
};

/**
 * The words and names that a message template can use. They contain no row value, no host and no message of a
 * server.
 */
export interface Placeholders {
  /** `the source database` */
  readonly database: string;
  /** `database` for the beginning of a sentence. */
  readonly Database: string;
  readonly outcome: string;
  /** `table "customers"`, or undefined */
  readonly table: string | undefined;
  readonly column: string | undefined;
  /** `column "email"`, a column of the table with a similar name. */
  readonly similar: string | undefined;
  /** `column "email" of table "customers"`, the table if no column is known, or else the database. */
  readonly where: string;
  readonly constraint: string;
  /** Whether `constraint` is more than "a constraint". */
  readonly isConstraintKnown: boolean;
  readonly isForeignKey: boolean;
  /** Whether the rows may break the bounds of partitions instead of a CHECK constraint. */
  readonly mayLackPartition: boolean;
  /** `function "app"."slug"`, or undefined. `creating` is an object that could not be created without `object`. */
  readonly object: string | undefined;
  readonly creating: string | undefined;
  /** `role "planner"`, which owns `object` or may change it; or undefined. */
  readonly objectRole: string | undefined;
  /** Whether `object` is an extension. */
  readonly isExtension: boolean;
  /** SQL that gives the function `object` a search_path of its own. */
  readonly setPath: string;
  /** SQL that drops the schema `object`. */
  readonly dropSchema: string;
  /** `a view`, or `no table` for a kind that this version does not know. */
  readonly relation: string;
  /** A value for the server's setting max_locks_per_transaction. Undefined if it was not computed. */
  readonly locksPerTransaction: number | undefined;
  /** `only 2 of the 3 sessions that a job needs at once`, or `fewer sessions than a job needs at once`. */
  readonly sessions: string;
  /** Which setting limits the sessions, and what to do. */
  readonly raiseSessions: string;
  readonly worker: string;
  /** `worker` for the beginning of a sentence. */
  readonly Worker: string;
  readonly machine: string;
  readonly log: string;
  readonly again: string;
  readonly resuming: string;
  readonly eachTime: string;
}

export type MessageTemplate = (placeholders: Placeholders) => string;

/** The message about an extension that a missing table needs and the target lacks. */
export const extensionLacking: MessageTemplate = (p) =>
  `The definition of ${p.table ?? 'a missing table'} needs ${p.object ?? 'an extension'}, which the target lacks. ${p.outcome} Install the extension on the target before the job runs.`;

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
