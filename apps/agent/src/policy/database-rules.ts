import {
  type ConnectionTarget,
  ConnectionUrlError,
  DATABASE_ROLES,
  type DatabaseRole,
  parseConnectionUrl,
} from '@understudy/postgres';
import { type EncryptionRule, isEncryptedEnough } from './encryption-rule.js';
import { type Entry, readAnyMap, readList, readMap } from './policy-reader.js';

/** The databases that jobs specify as `agent:<name>`. The keys of the map are the names. */
export type DatabaseRules = ReadonlyMap<string, DatabaseRule>;

export interface DatabaseRule {
  readonly target: ConnectionTarget;
  readonly roles: ReadonlySet<DatabaseRole>;
  /** The second login, in whose sessions code of the source runs. Set if the role is `replace`. */
  readonly buildLogin?: ConnectionTarget;
  /** The database from which jobs create the new database. */
  readonly template?: string;
}

/** A rule that permits URLs in jobs. */
export interface UrlRule {
  readonly host: string;
  /** `*` permits every port. In `databases`, `*` permits every database. */
  readonly port: number | '*';
  readonly databases: readonly string[];
  readonly roles: ReadonlySet<DatabaseRole>;
}

export function readDatabases(
  value: unknown,
  variable: (name: string) => string | undefined,
  encryption: EncryptionRule,
  problems: string[],
): DatabaseRules {
  const databases = new Map<string, DatabaseRule>();
  for (const [name, item] of Object.entries(readAnyMap(value ?? {}, 'databases', problems))) {
    const path = `databases.${name}`;
    if (!DATABASE_NAME.test(name))
      problems.push(`${path}: expected a name of 1 to 63 letters, digits, dashes and underscores`);
    const entry = readMap(item, path, ['url', 'url_env', 'roles', 'build_url_env', 'template'], problems);
    const roles = readRoles(entry['roles'], `${path}.roles`, problems);
    const target = readTarget(entry, path, 'url_env', variable, problems);
    if (target === undefined) continue;
    if (!isEncryptedEnough(target, encryption)) {
      const allowed = `sslmode=${encryption.minSslMode} or stronger`;
      problems.push(
        `${path}: expected ${allowed} for a database on another machine, or allow_plaintext: true`,
      );
    }
    databases.set(name, {
      target,
      roles,
      ...readReplacing(entry, { target, roles, path }, variable, problems),
    });
  }
  return databases;
}

/** Reads the keys that only a database with the role `replace` has. */
function readReplacing(
  entry: Entry,
  { target, roles, path }: DatabaseRule & { readonly path: string },
  variable: (name: string) => string | undefined,
  problems: string[],
): Pick<DatabaseRule, 'buildLogin' | 'template'> {
  const { build_url_env: urlEnv, template } = entry as { build_url_env?: unknown; template?: unknown };
  if (!roles.has('replace')) {
    for (const key of ['build_url_env', 'template'].filter((one) => entry[one] !== undefined))
      problems.push(`${path}.${key}: expected the role replace in the same entry`);
    return {};
  }
  if (urlEnv === undefined)
    problems.push(`${path}: the role replace needs build_url_env, the URL of a second login`);
  const read = { url_env: urlEnv };
  const buildLogin =
    urlEnv === undefined ? undefined : readTarget(read, path, 'build_url_env', variable, problems);
  if (buildLogin && (buildLogin.host !== target.host || buildLogin.port !== target.port))
    problems.push(`${path}.build_url_env: expected the host and the port of the database itself`);
  if (template !== undefined && (typeof template !== 'string' || template === ''))
    problems.push(`${path}.template: expected the name of a database`);
  return { ...(buildLogin && { buildLogin }), ...(typeof template === 'string' && { template }) };
}

function readTarget(
  entry: Entry,
  path: string,
  key: 'url_env' | 'build_url_env',
  variable: (name: string) => string | undefined,
  problems: string[],
): ConnectionTarget | undefined {
  const { url, url_env: urlEnv } = entry as { url?: unknown; url_env?: unknown };
  if ((url === undefined) === (urlEnv === undefined)) {
    problems.push(`${path}: give either url or url_env`);
    return undefined;
  }
  const text = url ?? (typeof urlEnv === 'string' ? variable(urlEnv) : undefined);
  if (typeof text !== 'string' || text === '') {
    problems.push(
      url === undefined
        ? `${path}.${key}: expected the name of a variable that is set`
        : `${path}.url: expected a string`,
    );
    return undefined;
  }
  try {
    return parseConnectionUrl(text);
  } catch (error) {
    if (!(error instanceof ConnectionUrlError)) throw error;
    problems.push(`${key === 'url_env' ? path : `${path}.${key}`}: ${error.message}`);
    return undefined;
  }
}

export function readUrlRules(value: unknown, problems: string[]): readonly UrlRule[] {
  return readList(value, 'urls', problems).flatMap((item, index) =>
    readUrlRule(item, `urls[${index}]`, problems),
  );
}

function readUrlRule(item: unknown, path: string, problems: string[]): UrlRule[] {
  const entry = readMap(item, path, ['host', 'port', 'databases', 'roles'], problems);
  const { host, port = 5432, databases } = entry as { host?: unknown; port?: unknown; databases?: unknown };
  const before = problems.length;
  if (typeof host !== 'string' || !/^[A-Za-z0-9._:-]+$/.test(host)) {
    problems.push(`${path}.host: expected one host name or address, without wildcards`);
  }
  const portRule = readPort(port);
  if (portRule === undefined) problems.push(`${path}.port: expected a port number, or "*" for all`);
  const names = readList(databases, `${path}.databases`, problems);
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || name === '')) {
    problems.push(`${path}.databases: expected names, or "*" for all`);
  }
  const roles = readRoles(entry['roles'], `${path}.roles`, problems);
  if (roles.has('replace'))
    problems.push(`${path}.roles: expected the role replace only in databases, which name a second login`);
  if (problems.length > before || portRule === undefined) return [];
  return [{ host: String(host).toLowerCase(), port: portRule, databases: names.map(String), roles }];
}

function readPort(value: unknown): number | '*' | undefined {
  if (value === '*') return value;
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  return value >= 1 && value <= 65_535 ? value : undefined;
}

function readRoles(value: unknown, path: string, problems: string[]): ReadonlySet<DatabaseRole> {
  const items = readList(value, path, problems);
  const roles = DATABASE_ROLES.filter((role) => items.includes(role));
  if (roles.length === 0 || roles.length !== items.length) {
    problems.push(`${path}: expected a list of ${DATABASE_ROLES.join(', ')}, each at most once`);
  }
  return new Set(roles);
}

const DATABASE_NAME = /^[A-Za-z0-9_-]{1,63}$/;
