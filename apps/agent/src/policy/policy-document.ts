import {
  type ConnectionTarget,
  ConnectionUrlError,
  isEncryptedAsIn,
  isPlaintextRemote,
  parseConnectionUrl,
  SSL_MODES,
  type SslMode,
} from '@understudy/sync-engine';
import { parseDocument } from 'yaml';

import { ConfigurationError } from '../config/configuration-error.js';

/**
 * What a database may be used for: read by sync jobs, written by them (listed tables alone), read whole by snapshots, replaced whole by
 * restores.
 */
export const ROLES = ['source', 'target', 'snapshot', 'restore'] as const;
export type DatabaseRole = (typeof ROLES)[number];

/** The policy file, checked. */
export interface PolicyRules {
  readonly databases: ReadonlyMap<
    string,
    { readonly target: ConnectionTarget; readonly roles: ReadonlySet<DatabaseRole> }
  >;
  readonly urls: readonly UrlRule[];
  readonly neverPreserve: readonly ColumnPattern[];
  readonly allowWhere: boolean;
  /** Whether failures may hold identifiers of the catalogs. */
  readonly reportNames: boolean;
  readonly encryption: EncryptionRule;
}

/** What connections that leave the machine have to be. */
export interface EncryptionRule {
  readonly minSslMode: SslMode;
  /** Whether a URL may say `sslmode=disable`. */
  readonly allowPlaintext: boolean;
}

/** Where the URLs of a job may lead. */
export interface UrlRule {
  readonly host: string;
  /** `*` stands for all, as it does in `databases`. */
  readonly port: number | '*';
  readonly databases: readonly string[];
  readonly roles: ReadonlySet<DatabaseRole>;
}

/** Schema, table, column; `*` inside a part stands for any characters. */
export type ColumnPattern = readonly [RegExp, RegExp, RegExp];

/**
 * Reads a policy file. Strict: an unknown key may be a misspelt restriction and is an error.
 * @param variable looks up `url_env`
 * @throws ConfigurationError with all problems; it quotes names, never URLs
 */
export function parsePolicy(text: string, variable: (name: string) => string | undefined): PolicyRules {
  const problems: string[] = [];
  const root = record(readYaml(text, problems) ?? {}, 'the policy', problems);
  unknownKeys(root, KEYS, '', problems);
  const encryption = readEncryption(root, problems);
  const rules: PolicyRules = {
    encryption,
    databases: readDatabases(root['databases'], variable, encryption, problems),
    urls: list(root['urls'], 'urls', problems).flatMap((item, index) =>
      readUrlRule(item, `urls[${index}]`, problems),
    ),
    neverPreserve: list(root['never_preserve'], 'never_preserve', problems).flatMap((item, index) =>
      readColumnPattern(item, `never_preserve[${index}]`, problems),
    ),
    allowWhere: readBoolean(root['allow_where'], 'allow_where', problems),
    reportNames: readBoolean(root['report_names'] ?? true, 'report_names', problems),
  };
  if (problems.length > 0) throw new ConfigurationError('The policy file is not valid', problems);
  return rules;
}

function readYaml(text: string, problems: string[]): unknown {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: false });
  if (document.errors.length > 0) {
    const [error] = document.errors;
    problems.push(`not YAML (${error?.code ?? 'unreadable'} at character ${error?.pos[0] ?? 0})`);
    return undefined;
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch {
    problems.push(`more than ${MAX_ALIASES} YAML aliases, or one to itself`);
    return undefined;
  }
}

/** Whether a connection to this database is encrypted as the policy demands. */
export function isEncryptedEnough(target: ConnectionTarget, rule: EncryptionRule): boolean {
  return isEncryptedAsIn(rule.minSslMode, target) || (rule.allowPlaintext && isPlaintextRemote(target));
}

function readEncryption(root: Record<string, unknown>, problems: string[]): EncryptionRule {
  const { min_sslmode: given } = root as { min_sslmode?: unknown };
  const named = SSL_MODES.find((mode) => mode === given);
  if (given !== undefined && named === undefined)
    problems.push(`min_sslmode: expected ${SSL_MODES.join(', ')}`);
  const allowPlaintext = readBoolean(root['allow_plaintext'], 'allow_plaintext', problems);
  if (allowPlaintext && given !== undefined)
    problems.push('allow_plaintext: contradicts min_sslmode; leave one of them out');
  return { minSslMode: named ?? 'require', allowPlaintext };
}

function readDatabases(
  value: unknown,
  variable: (name: string) => string | undefined,
  encryption: EncryptionRule,
  problems: string[],
): PolicyRules['databases'] {
  const databases = new Map<string, { target: ConnectionTarget; roles: ReadonlySet<DatabaseRole> }>();
  for (const [name, item] of Object.entries(record(value ?? {}, 'databases', problems))) {
    const path = `databases.${name}`;
    if (!DATABASE_NAME.test(name))
      problems.push(`${path}: a name is letters, digits, dashes and underscores`);
    const entry = record(item, path, problems);
    unknownKeys(entry, ['url', 'url_env', 'roles'], `${path}.`, problems);
    const roles = readRoles(entry['roles'], `${path}.roles`, problems);
    const target = readTarget(entry, path, variable, problems);
    if (target === undefined) continue;
    if (!isEncryptedEnough(target, encryption)) {
      const allowed = `sslmode=${encryption.minSslMode} or stronger`;
      problems.push(
        `${path}: expected ${allowed} for a database on another machine, or allow_plaintext: true`,
      );
    }
    databases.set(name, { target, roles });
  }
  return databases;
}

function readTarget(
  entry: Record<string, unknown>,
  path: string,
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
      url === undefined ? `${path}.url_env: no such variable is set` : `${path}.url: expected a text`,
    );
    return undefined;
  }
  try {
    return parseConnectionUrl(text);
  } catch (error) {
    if (!(error instanceof ConnectionUrlError)) throw error;
    problems.push(`${path}: ${error.message}`);
    return undefined;
  }
}

function readUrlRule(item: unknown, path: string, problems: string[]): UrlRule[] {
  const entry = record(item, path, problems);
  unknownKeys(entry, ['host', 'port', 'databases', 'roles'], `${path}.`, problems);
  const { host, port = 5432, databases } = entry as { host?: unknown; port?: unknown; databases?: unknown };
  const before = problems.length;
  if (typeof host !== 'string' || !/^[A-Za-z0-9._:-]+$/.test(host)) {
    problems.push(`${path}.host: expected one host name or address, without wildcards`);
  }
  const portRule = readPort(port);
  if (portRule === undefined) problems.push(`${path}.port: expected a port number, or "*" for all`);
  const names = list(databases, `${path}.databases`, problems);
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || name === '')) {
    problems.push(`${path}.databases: expected names, or "*" for all`);
  }
  const roles = readRoles(entry['roles'], `${path}.roles`, problems);
  if (problems.length > before || portRule === undefined) return [];
  return [{ host: String(host).toLowerCase(), port: portRule, databases: names.map(String), roles }];
}

function readPort(value: unknown): number | '*' | undefined {
  if (value === '*') return value;
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  return value >= 1 && value <= 65_535 ? value : undefined;
}

function readRoles(value: unknown, path: string, problems: string[]): ReadonlySet<DatabaseRole> {
  const items = list(value, path, problems);
  const roles = ROLES.filter((role) => items.includes(role));
  if (roles.length === 0 || roles.length !== items.length) {
    problems.push(`${path}: expected a list of ${ROLES.join(', ')}, each at most once`);
  }
  return new Set(roles);
}

function readColumnPattern(item: unknown, path: string, problems: string[]): ColumnPattern[] {
  const [schema, table, column, ...rest] = typeof item === 'string' ? item.split('.') : [];
  if (!schema || !table || !column || rest.length > 0) {
    problems.push(`${path}: expected "schema.table.column", where * stands for any characters`);
    return [];
  }
  return [[wildcard(schema), wildcard(table), wildcard(column)]];
}

function wildcard(pattern: string): RegExp {
  const source = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`, 'su');
}

function readBoolean(value: unknown, path: string, problems: string[]): boolean {
  if (value !== undefined && typeof value !== 'boolean') problems.push(`${path}: expected true or false`);
  return value === true;
}

function record(value: unknown, path: string, problems: string[]): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  problems.push(`${path}: expected a map`);
  return {};
}

function list(value: unknown, path: string, problems: string[]): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  problems.push(`${path}: expected a list`);
  return [];
}

function unknownKeys(
  value: Record<string, unknown>,
  known: readonly string[],
  prefix: string,
  problems: string[],
): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) problems.push(`${prefix}${key}: unknown key; known are ${known.join(', ')}`);
  }
}

const KEYS = [
  'databases',
  'urls',
  'never_preserve',
  'allow_where',
  'report_names',
  'min_sslmode',
  'allow_plaintext',
];
// Aliases of aliases could grow a small file into a huge one.
const MAX_ALIASES = 100;
const DATABASE_NAME = /^[A-Za-z0-9_-]{1,63}$/;
