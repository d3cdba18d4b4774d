import { type ConnectionTarget, ConnectionUrlError, parseConnectionUrl } from '@understudy/postgres';
import {
  expectedButGot,
  type FieldProblem,
  isObject,
  isString,
  kindOf,
  ObjectReader,
} from '@understudy/sync-job';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A database to connect to. `url` holds a password: never printed. */
export interface JobDatabase {
  readonly url: string;
  readonly target: ConnectionTarget;
}

const URL_EXPECTED = 'a URL like postgresql://user:password@host:5432/database';
const HOW = `write ${URL_EXPECTED}, or {"url_env": "NAME"} to take it from the environment`;
const MAX_LENGTH = 2_048;

/**
 * Reads `{type?, connection_string}` or `{type?, url_env}` of a job file.
 * @returns undefined when something is wrong with it, which quotes nothing of the URL
 */
export function readDatabase(
  value: unknown,
  field: 'source' | 'target',
  environment: Environment,
  problems: FieldProblem[],
): JobDatabase | undefined {
  if (!isObject(value)) {
    problems.push({
      field,
      message: `${expectedButGot('an object {connection_string} or {url_env}', value)}; it may also be given as --${field} <url>`,
    });
    return undefined;
  }
  const reader = new ObjectReader(value, field, problems);
  reader.only(['type', 'connection_string', 'url_env']);
  reader.optional(
    'type',
    '"postgresql"',
    (type): type is string => type === 'postgresql' || type === 'postgres',
  );
  const variable = reader.optional('url_env', 'the name of a variable of the environment', isVariable);
  if (Object.hasOwn(value, 'url_env')) {
    if (Object.hasOwn(value, 'connection_string'))
      reader.fail('connection_string', 'is given beside url_env: leave one of them out');
    return variable === undefined
      ? undefined
      : readUrl(`\${${variable}}`, `${field}.url_env`, environment, problems);
  }
  const text = reader.required('connection_string', URL_EXPECTED, isString);
  return text === undefined ? undefined : readUrl(text, `${field}.connection_string`, environment, problems);
}

/**
 * Reads a URL. `${NAME}` is taken from the environment: as it stands there where it is the whole text, and percent-escaped where it is a
 * part of it, so that a password may hold anything.
 */
export function readUrl(
  text: string,
  field: string,
  environment: Environment,
  problems: FieldProblem[],
): JobDatabase | undefined {
  const fail = (message: string): undefined => {
    problems.push({ field, message });
  };
  if (text.startsWith('agent:'))
    return fail(
      `agent:<name> is a database that an agent's policy names, and no agent is at work here: ${HOW}`,
    );
  const missing = [...text.matchAll(VARIABLE)].flatMap(([, name = '']) =>
    (environment[name] ?? '') === '' ? [name] : [],
  );
  if (missing.length > 0)
    return fail(`the environment has no variable ${missing.join(', ')}: export it, or write the URL here`);
  const whole = WHOLE_VARIABLE.exec(text)?.[1];
  const url =
    whole === undefined
      ? text.replace(VARIABLE, (_, name: string) => encodeURIComponent(environment[name] ?? ''))
      : (environment[whole] ?? '');
  if (url.length > MAX_LENGTH) return fail(`expected at most ${MAX_LENGTH} characters, got ${url.length}`);
  if (!/^postgres(ql)?:\/\//.test(url)) return fail(`expected ${URL_EXPECTED}, got ${kindOf(url)}`);
  try {
    return { url, target: parseConnectionUrl(url) };
  } catch (error) {
    if (!(error instanceof ConnectionUrlError)) throw error;
    return fail(error.message);
  }
}

const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const VARIABLE = new RegExp(`\\$\\{(${NAME})\\}`, 'g');
const WHOLE_VARIABLE = new RegExp(`^\\$\\{(${NAME})\\}$`);

function isVariable(value: unknown): value is string {
  return isString(value) && new RegExp(`^${NAME}$`).test(value);
}
