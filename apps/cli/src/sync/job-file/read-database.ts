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

/** A database to connect to. */
export interface JobDatabase {
  /** The URL, which may contain a password and must never be printed. */
  readonly url: string;
  readonly target: ConnectionTarget;
}

const URL_EXPECTED = 'a URL like postgresql://user:password@host:5432/database';
const HOW = `expected ${URL_EXPECTED}, or {"url_env": "NAME"} to read it from the environment`;
const MAX_LENGTH = 2_048;

/**
 * Reads `{type?, connection_string}` or `{type?, url_env}` of a job file.
 * @returns undefined if the value is invalid. Each reason is added to `problems`, and no reason quotes the
 * URL.
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
      message: `${expectedButGot('an object {connection_string} or {url_env}', value)}; or use the option --${field} <url>`,
    });
    return undefined;
  }
  const reader = new ObjectReader(value, field, problems);
  reader.only([
    'type',
    'connection_string',
    'url_env',
    ...(field === 'target' ? ['build_connection_string', 'template'] : []),
  ]);
  reader.optional(
    'type',
    '"postgresql"',
    (type): type is string => type === 'postgresql' || type === 'postgres',
  );
  const variable = reader.optional('url_env', 'the name of an environment variable', isVariable);
  if (Object.hasOwn(value, 'url_env')) {
    if (Object.hasOwn(value, 'connection_string'))
      reader.fail('connection_string', 'cannot be combined with url_env: remove one of them');
    return variable === undefined
      ? undefined
      : readUrl(`\${${variable}}`, `${field}.url_env`, environment, problems);
  }
  const text = reader.required('connection_string', URL_EXPECTED, isString);
  return text === undefined ? undefined : readUrl(text, `${field}.connection_string`, environment, problems);
}

/**
 * Reads `build_connection_string` of a target.
 * @returns undefined if there is none, or if it is invalid, which is added to `problems`
 */
export function readBuildLogin(
  target: unknown,
  environment: Environment,
  problems: FieldProblem[],
): JobDatabase | undefined {
  const url = isObject(target) ? target['build_connection_string'] : undefined;
  const field = 'target.build_connection_string';
  if (isString(url)) return readUrl(url, field, environment, problems);
  if (url !== undefined) problems.push({ field, message: expectedButGot(URL_EXPECTED, url) });
  return undefined;
}

/** Reads `template` of a target: the database from which a new one is created. */
export function readTemplate(target: unknown, problems: FieldProblem[]): string | undefined {
  const name = isObject(target) ? target['template'] : undefined;
  if (name === undefined || (isString(name) && name !== '')) return name;
  problems.push({ field: 'target.template', message: expectedButGot('the name of a database', name) });
  return undefined;
}

/**
 * Reads a URL and replaces `${NAME}` with the environment variable. If `${NAME}` is the whole text, its value
 * is a URL, which can contain variables, too. If it is a part of the text, its value is percent-encoded, so a
 * password may contain any character.
 * @returns undefined if the URL is invalid. Each reason is added to `problems`, and no reason quotes the URL.
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
    return fail(`agent:<name> names a database of an agent, but this command runs without an agent: ${HOW}`);
  const whole = WHOLE_VARIABLE.exec(text)?.[1];
  const template = (whole === undefined ? undefined : environment[whole]) || text;
  const missing = [...template.matchAll(VARIABLE)].flatMap(([, name = '']) =>
    (environment[name] ?? '') === '' ? [name] : [],
  );
  if (missing.length > 0)
    return fail(
      missing.length === 1
        ? `the environment variable ${missing[0]} is not set: export it, or write the URL here`
        : `the environment variables ${missing.join(', ')} are not set: export them, or write the URL here`,
    );
  const url = template.replace(VARIABLE, (_, name: string) => encodeURIComponent(environment[name] ?? ''));
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
