import { quoteIdentifier, quoteLiteral, type Client } from '@understudy/postgres';
import { READ_PROPERTIES } from './database-properties.sql.js';
import { OWN_PREFIX } from './changes.js';

/** Properties of a database that `CREATE DATABASE` and `ALTER DATABASE` set. */
export interface DatabaseProperties {
  readonly owner: string;
  readonly encoding: string;
  readonly collate: string;
  readonly ctype: string;
  /** `c` (libc), `i` (ICU) or `b` (builtin); servers before PostgreSQL 15 have only `c`. */
  readonly localeProvider: string;
  /** Locale of the providers `i` and `b`. */
  readonly locale: string | null;
  readonly icuRules: string | null;
  readonly tablespace: string | null;
  readonly connectionLimit: number;
  readonly comment: string | null;
  readonly grants: readonly DatabaseGrant[];
  readonly settings: readonly DatabaseSettings[];
}

export interface CreateOptions {
  /** Default: the client's role. */
  readonly owner?: string | undefined;
  /** The database to copy, whose encoding and collation must be those of the properties. Default: an empty one. */
  readonly template?: string | undefined;
}

interface DatabaseGrant {
  /** The role that has the privilege; null for PUBLIC. */
  readonly grantee: string | null;
  readonly privilege: string;
  readonly grantable: boolean;
}

interface DatabaseSettings {
  /** The role to which the settings apply; null if they apply to all roles. */
  readonly role: string | null;
  /** Settings of the form `name=value`. */
  readonly settings: readonly string[];
}

export interface FoundDatabase {
  readonly oid: string;
  readonly properties: DatabaseProperties;
}

/** @returns undefined if the client's server has no database of this name */
export async function readProperties(client: Client, database: string): Promise<FoundDatabase | undefined> {
  const { rows } = await client.query<FoundDatabase>(READ_PROPERTIES, [database, OWN_PREFIX]);
  return rows[0];
}

/** @returns the statement that creates a database with the properties, as a copy of the template */
export function createDatabase(
  name: string,
  properties: DatabaseProperties,
  { owner, template = 'template0' }: CreateOptions,
): string {
  const { encoding, collate, ctype, localeProvider, locale, icuRules, tablespace } = properties;
  const options = [
    `TEMPLATE ${quoteIdentifier(template)}`,
    `ENCODING ${quoteLiteral(encoding)}`,
    `LC_COLLATE ${quoteLiteral(collate)}`,
    `LC_CTYPE ${quoteLiteral(ctype)}`,
    ...(localeProvider === 'i' && locale !== null
      ? [`LOCALE_PROVIDER icu ICU_LOCALE ${quoteLiteral(locale)}`]
      : []),
    ...(localeProvider === 'b' && locale !== null
      ? [`LOCALE_PROVIDER builtin BUILTIN_LOCALE ${quoteLiteral(locale)}`]
      : []),
    ...(icuRules === null ? [] : [`ICU_RULES ${quoteLiteral(icuRules)}`]),
    ...(tablespace === null ? [] : [`TABLESPACE ${quoteIdentifier(tablespace)}`]),
    ...(owner === undefined ? [] : [`OWNER ${quoteIdentifier(owner)}`]),
  ];
  return `CREATE DATABASE ${quoteIdentifier(name)} ${options.join(' ')}`;
}

/** @returns the statement that lets only the owner and superusers connect while the database is loaded */
export function closeToPublic(name: string): string {
  return `REVOKE ALL ON DATABASE ${quoteIdentifier(name)} FROM PUBLIC`;
}

/**
 * @returns statements that apply the properties. Run them after the load, because settings such as
 * `default_transaction_read_only` would make the load fail.
 */
export function applyProperties(
  name: string,
  owner: string,
  properties: DatabaseProperties,
): readonly string[] {
  const database = `DATABASE ${quoteIdentifier(name)}`;
  const { grants, settings, comment, connectionLimit } = properties;
  return [
    `REVOKE ALL ON ${database} FROM PUBLIC, ${quoteIdentifier(owner)}`,
    ...grants.map(({ grantee, privilege, grantable }) => {
      const to =
        grantee === null ? 'PUBLIC' : quoteIdentifier(grantee === properties.owner ? owner : grantee);
      return `GRANT ${privilege} ON ${database} TO ${to}${grantable ? ' WITH GRANT OPTION' : ''}`;
    }),
    ...settingStatements(name, settings),
    ...(comment === null ? [] : [`COMMENT ON ${database} IS ${quoteLiteral(comment)}`]),
    ...(connectionLimit === -1 ? [] : [`ALTER ${database} CONNECTION LIMIT ${connectionLimit}`]),
  ];
}

/** @returns a statement for each setting. Only CREATEROLE can set those of another role. */
export function settingStatements(name: string, settings: DatabaseProperties['settings']): readonly string[] {
  const database = `DATABASE ${quoteIdentifier(name)}`;
  return settings.flatMap(({ role, settings: list }) =>
    list.map((text) => {
      const at = text.indexOf('=');
      const setting = text.slice(0, at);
      const whose =
        role === null ? `ALTER ${database}` : `ALTER ROLE ${quoteIdentifier(role)} IN ${database}`;
      return `${whose} SET ${quoteIdentifier(setting)} TO ${settingValue(setting, text.slice(at + 1))}`;
    }),
  );
}

/** Settings whose value is a list of quoted names (`GUC_LIST_QUOTE`). pg_dump has the same list. */
const LIST_SETTINGS = new Set([
  'local_preload_libraries',
  'search_path',
  'session_preload_libraries',
  'shared_preload_libraries',
  'temp_tablespaces',
  'unix_socket_directories',
]);

/** @returns the right side of `SET name TO …` for a setting's value in the catalog */
export function settingValue(name: string, text: string): string {
  if (!LIST_SETTINGS.has(name)) return quoteLiteral(text);
  const names = [...text.matchAll(LIST_ITEM)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
  return names.length === 0 ? "''" : names.map(quoteLiteral).join(', ');
}

const LIST_ITEM = /"((?:[^"]|"")*)"|([^\s,"]+)/g;
