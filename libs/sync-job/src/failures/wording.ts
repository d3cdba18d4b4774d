/** How one kind of work, done by one kind of program, speaks of its failures. */
export interface Wording {
  /** `the source database`; undefined: it is not said which one. */
  readonly database: (side: 'source' | 'target' | undefined) => string;
  /** What the failure has left behind, as a sentence. */
  readonly outcome: string;
  /** Who works: `the agent`. */
  readonly worker: string;
  /** Where: `the agent's machine`. */
  readonly machine: string;
  /** The beginning of a sentence about its log: `The agent's log on your side`. */
  readonly log: string;
  /** `post the job again` */
  readonly again: string;
  /** After what was tried more than once: `, on each attempt`. */
  readonly eachTime: string;
  /** Where a list of problems is: `in details`. */
  readonly list: string;
  /** Sentences of its own, for codes of its own or instead of the common ones. */
  readonly own: Readonly<Record<string, Sentence>>;
}

/** Jobs that a control plane gives to agents. */
export const SYNC_JOB_WORDING: Wording = {
  database: (side) => (side === undefined ? 'a database' : `the ${side} database`),
  outcome: 'The target is as it was before.',
  worker: 'the agent',
  machine: "the agent's machine",
  log: "The agent's log on your side",
  again: 'post the job again',
  eachTime: ', on each attempt',
  list: 'in details',
  own: {},
};

/** The engine run by a command on the machine of whoever reads the message. */
export const LOCAL_SYNC_WORDING: Wording = {
  ...SYNC_JOB_WORDING,
  worker: 'understudy',
  machine: 'this machine',
  log: 'The log (run it with --verbose)',
  again: 'run it again',
  eachTime: '',
  list: 'below',
  own: {
    policy_denied: (p) => `${p.Database} cannot be used for this.`,
    sslmode_too_weak: (p) => `The URL of ${p.database} asks for too weak an encryption.`,
    unlisted_not_rejected: (p) => `Columns of ${p.table ?? 'a table'} without a rule have to be rejected.`,
    training_not_allowed: (p) => `No private model may be trained on ${p.where}.`,
    min_values_too_low: (p) => `The min_values of the rule for ${p.where} is too low.`,
    pg_dump_missing: () =>
      'pg_dump and pg_restore were not found on this machine. Install the PostgreSQL client tools, or say where they are with --pg-bin-dir.',
    too_few_values: (p) =>
      `The rule for ${p.where} says "differs": true and makes fewer than 20 distinct values, so the new values reveal what the old ones were not. ${p.outcome} Leave "differs" out, or let the rule make more values.`,
    model_not_found: (p) =>
      `The model that the rule for ${p.where} names is not among the private models of this state folder. Add "train" to the rule, or name the folder that has it with --state.`,
    hosted_model_missing: (p) => `A model file that the job file names has gone. ${p.outcome}`,
    hosted_model_mismatch: (p) => `A model file changed while it was read. ${p.outcome} Run it again.`,
    hosted_model_unavailable: (p) => `A model file cannot be read. ${p.outcome}`,
    where_invalid: (p) => `The where of ${p.table ?? 'a table'} is not one that can be read. ${p.outcome}`,
    lease_lost: () => 'Another run of this job has taken over: this one ended, and changed nothing since.',
    connection_lost: (p) =>
      `The connection to ${p.database} was lost. ${p.outcome} Run it again with --resume to go on from the rows that are copied.`,
    snapshot_lost: (p) =>
      `The transaction that held the source as of one instant has ended. ${p.outcome} Look for what ends long transactions there: a restart, an administrator, idle_in_transaction_session_timeout, old_snapshot_threshold.`,
    stalled: (p) =>
      `Nothing moved any more between this machine and ${p.database}, and no lock is the reason. ${p.outcome} Check the network between them, and run it again with --resume.`,
    cancelled: (p) => `The job was stopped. ${p.outcome}`,
    agent_restarted: (p) => `The job was stopped. ${p.outcome}`,
    agent_disk_low: (p) =>
      `This machine has too little free disk space. ${p.outcome} Free some and run it again.`,
    secret_unreadable: (p) => `The URL of ${p.database} cannot be read.`,
  },
};

/** What a sentence about a failure can be made of: words and names, no value, host or text of a server. */
export interface Place {
  /** `the source database` */
  readonly database: string;
  /** At the beginning of a sentence. */
  readonly Database: string;
  readonly outcome: string;
  /** `table "customers"`, or undefined */
  readonly table: string | undefined;
  readonly column: string | undefined;
  /** `column "email" of table "customers"`, or as much of it as is known. */
  readonly where: string;
  readonly constraint: string;
  readonly worker: string;
  /** At the beginning of a sentence. */
  readonly Worker: string;
  readonly machine: string;
  readonly log: string;
  readonly again: string;
  readonly eachTime: string;
}

export type Sentence = (place: Place) => string;

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
