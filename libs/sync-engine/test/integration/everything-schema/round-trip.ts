import { postgresVersions, type TestDatabase } from '@understudy/testing';
import { type Outcome, type Rules, type SyncHarness } from '../sync-harness.js';
import { dumpDatabase, sortedRows, type DumpEntry } from './dumped-database.js';

const VERSIONS = postgresVersions();

/** The definitions and rows of a database, by schema. */
export interface Dump {
  definitions(schema: string): Readonly<Record<string, string>>;
  rows(schema: string): Readonly<Record<string, readonly string[]>>;
}

/** Copies tables of one database to another. */
export function copyTables(
  harness: SyncHarness,
  source: TestDatabase,
  target: TestDatabase,
  tables: readonly string[],
  rules: Readonly<Record<string, Rules>> = {},
): Promise<Outcome> {
  const all = Object.fromEntries(tables.map((table) => [table, rules[table] ?? {}]));
  return harness.run(harness.command(source.url, target.url, all));
}

export async function dumpOf(harness: SyncHarness, database: TestDatabase): Promise<Dump> {
  const bin = harness.services.postgresBinFolder;
  const definitions = await dumpDatabase(bin, database, 'schema-only');
  const data = await dumpDatabase(bin, database, 'data-only');
  return {
    definitions: (schema) => entriesOf(definitions, schema, ({ sql }) => comparable(sql)),
    rows: (schema) => {
      const tables = data.filter(({ type }) => type === 'TABLE DATA');
      return entriesOf(tables, schema, sortedRows);
    },
  };
}

/**
 * Removes what two versions of PostgreSQL write differently for the same definition. Servers from 18 give names to NOT
 * NULL constraints, and servers from 17 write `kn` for the `kn-true` of an ICU collation.
 */
function comparable(sql: string): string {
  if (VERSIONS.source === VERSIONS.target) return sql;
  return sql.replace(/ CONSTRAINT (?:"(?:[^"]|"")+"|\w+)(?= NOT NULL)/g, '').replaceAll('kn-true', 'kn');
}

/** Returns the entries of the objects in a schema, and the entry that creates the schema. */
function entriesOf<T>(
  entries: readonly DumpEntry[],
  schema: string,
  valueOf: (entry: DumpEntry) => T,
): Readonly<Record<string, T>> {
  const shown = schema.replaceAll('\n', ' ');
  const own = entries.filter((entry) => entry.schema === shown || entry.name === shown);
  return Object.fromEntries(own.map((entry) => [`${entry.type} ${entry.name}`, valueOf(entry)]));
}

/**
 * Deletes every second row without firing triggers or checking keys. A test can then detect whether a later
 * job replaces the rows.
 */
export async function thinOut(database: TestDatabase): Promise<void> {
  await database.query(`DO $do$ DECLARE t text; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR t IN SELECT c.oid::regclass FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
              WHERE c.relkind = 'r' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' LOOP
      EXECUTE format('DELETE FROM ONLY %s WHERE (ctid::text::point)[1]::int %% 2 = 0', t);
    END LOOP;
  END $do$`);
}
