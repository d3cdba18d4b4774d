import { type ConnectionTarget, parseConnectionUrl } from '@understudy/postgres';
import type { FieldProblem } from '@understudy/sync-job';
import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';
import { readUrl, type Environment } from '../sync/job-file/read-database.js';

/** A database URL from the command line. */
export interface GivenUrl {
  /** The connection's parameters. They contain the password, so use them only to connect. */
  readonly target: ConnectionTarget;
  /** The URL for the job file, with the name of an environment variable instead of the password. */
  readonly written: string;
  /** The environment variable that must be set to use the job file. Absent if there is no password. */
  readonly variable?: string;
}

const NAMED_PASSWORD = /:(\$\{[A-Za-z_][A-Za-z0-9_]*\})@/;

/**
 * Reads a database URL from the command line. Its password can be in the URL, in a variable that the URL
 * names as `${NAME}`, or in PGPASSWORD.
 * @param inlineVariable the name of the variable that replaces a password that is written in the URL
 * @throws CliError if the URL is invalid; the message quotes no part of it
 */
export function givenUrl(text: string, inlineVariable: string, environment: Environment): GivenUrl {
  const problems: FieldProblem[] = [];
  const database = readUrl(text, 'url', environment, problems);
  if (database === undefined) {
    throw new CliError(
      EXIT.usage,
      problems.map(({ message }) => `the database's URL: ${message}`).join('\n'),
    );
  }
  const { target } = database;
  const named = NAMED_PASSWORD.exec(text)?.[1];
  if (named !== undefined) return { target, written: text, variable: named.slice(2, -1) };
  // The whole URL is in a variable, so the job file names this variable.
  if (/^\$\{\w+\}$/.test(text)) return { target, written: text, variable: text.slice(2, -1) };
  const fromEnvironment = environment['PGPASSWORD'] ?? '';
  if (target.password === undefined && fromEnvironment === '') return { target, written: text };
  const variable = target.password === undefined ? 'PGPASSWORD' : inlineVariable;
  const password = target.password ?? fromEnvironment;
  return { target: { ...target, password }, written: withVariable(text, variable), variable };
}

/** Returns the URL with `${variable}` as its password. */
function withVariable(text: string, variable: string): string {
  const { user, display } = parseConnectionUrl(text);
  const head = `postgresql://${encodeURIComponent(user)}:`;
  const query = text.includes('?') ? text.slice(text.indexOf('?')) : '';
  return `${head}\${${variable}}${display.slice(head.length + '***'.length)}${query}`;
}
