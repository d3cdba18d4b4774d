import { type ConnectionTarget, parseConnectionUrl } from '@understudy/postgres';
import type { FieldProblem } from '@understudy/sync-job';
import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';
import { readUrl, type Environment } from '../sync/job-file/read-database.js';

export interface GivenUrl {
  /** Holds the password: for connecting alone. */
  readonly target: ConnectionTarget;
  /** What a job file says of it: a password stands there as the name of a variable of the environment. */
  readonly written: string;
  /** The variable that has to be set when the job file is used; absent where no password is. */
  readonly variable?: string;
}

const NAMED_PASSWORD = /:(\$\{[A-Za-z_][A-Za-z0-9_]*\})@/;

/**
 * Reads the URL of a command line. A password may stand in it, be named as `${NAME}`, or come from PGPASSWORD.
 * @param inlineVariable names a password that stands in the URL itself
 * @throws CliError, which quotes nothing of the URL
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
  // Named whole: whatever is in it stays where it is.
  if (/^\$\{\w+\}$/.test(text)) return { target, written: text, variable: text.slice(2, -1) };
  const fromEnvironment = environment['PGPASSWORD'] ?? '';
  if (target.password === undefined && fromEnvironment === '') return { target, written: text };
  const variable = target.password === undefined ? 'PGPASSWORD' : inlineVariable;
  const password = target.password ?? fromEnvironment;
  return { target: { ...target, password }, written: withVariable(text, variable), variable };
}

/** The URL with a variable for its password, and the database's display form for people. */
function withVariable(text: string, variable: string): string {
  const { user, display } = parseConnectionUrl(text);
  const head = `postgresql://${encodeURIComponent(user)}:`;
  const query = text.includes('?') ? text.slice(text.indexOf('?')) : '';
  return `${head}\${${variable}}${display.slice(head.length + '***'.length)}${query}`;
}
