import { FAILURES, type FailureDefinition } from './failures.js';
import type { MessageTemplate } from './message-template.js';

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
  own: Object.fromEntries(
    Object.entries<FailureDefinition>(FAILURES).flatMap(([code, { localText }]) =>
      localText === undefined ? [] : [[code, localText]],
    ),
  ),
};

/** The messages of reverts that agents run for a control plane. */
export const REVERT_MESSAGES: MessageSet = {
  ...SYNC_JOB_MESSAGES,
  outcome: 'The target and the kept database are as they were before.',
  again: 'request the revert again',
  own: revertTexts(SYNC_JOB_MESSAGES),
};

/** The messages of `understudy revert` and `understudy clean`. */
export const LOCAL_REVERT_MESSAGES: MessageSet = {
  ...LOCAL_SYNC_MESSAGES,
  outcome: 'The target and the kept database are unchanged.',
  again: 'run the command again',
  resuming: '',
  own: revertTexts(LOCAL_SYNC_MESSAGES),
};

/** A revert creates no objects, so it needs other rights than a job. */
function revertTexts({ own }: MessageSet): MessageSet['own'] {
  return {
    ...own,
    replace_denied: (p) =>
      `The role of ${p.database} may not rename this database, or may not rename or drop the kept one. For example, the owner of one was changed, or the kept one was made a template. ${p.outcome} The role needs CREATEDB, and must be a member of the owners of both. Run ALTER ROLE … CREATEDB, and GRANT … TO … or ALTER DATABASE … OWNER TO …, as a superuser, and ${p.again}.`,
  };
}

/** The messages of commands that read both databases and change none: `understudy verify` and a dry run. */
export const LOCAL_CHECK_MESSAGES: MessageSet = {
  ...LOCAL_SYNC_MESSAGES,
  outcome: 'The target is unchanged.',
  again: 'run the command again',
  ...{ resuming: '', unlessCommitted: '' },
};
