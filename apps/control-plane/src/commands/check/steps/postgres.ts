import { CheckFailure, type CheckReport } from '@understudy/operator-commands';
import { DataSource } from 'typeorm';

import type { DatabaseConfiguration } from '../../../platform/config/configuration.js';
import { readDatabaseUrl } from '../../../platform/config/service-encryption.js';
import { explainDatabase } from '../../../monitoring/explain-outage.js';
import {
  dataSourceOptions,
  MIGRATIONS,
  refuseDevelopmentDatabase,
} from '../../../platform/persistence/data-source.js';

/** Checks that the control plane can use its database. Changes nothing in it. */
export async function checkPostgres(report: CheckReport, database: DatabaseConfiguration): Promise<void> {
  const dataSource = new DataSource(dataSourceOptions({ ...database, statementTimeoutMs: STATEMENT_MS }));
  const isReached = await report.step('PostgreSQL', async () => {
    try {
      await dataSource.initialize();
    } catch (error) {
      throw refusalOf(error) ?? CheckFailure.from(await explainDatabase(database, error));
    }
    return { facts: await connectionFacts(dataSource, database), value: true };
  });
  if (isReached === undefined) {
    report.skip('PostgreSQL rights', 'because there is no connection');
    report.skip('PostgreSQL schema', 'because there is no connection');
    return;
  }
  try {
    await report.step('PostgreSQL rights', async () => ({
      facts: await rightsFacts(dataSource),
      value: true,
    }));
    await report.step('PostgreSQL schema', () => schemaFound(dataSource));
  } finally {
    await dataSource.destroy();
  }
}

async function connectionFacts(dataSource: DataSource, { url }: DatabaseConfiguration): Promise<string> {
  const [row] = await dataSource.query<{ number: string; version: string; tls: string | null }[]>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
            (SELECT version FROM pg_stat_ssl WHERE ssl AND pid = pg_backend_pid()) AS tls`,
  );
  const problem = versionProblem(Number(row?.number));
  if (problem !== undefined) throw problem;
  const { host } = readDatabaseUrl(url);
  return `version ${row?.version ?? ''} at ${host}, ${row?.tls ?? 'without TLS'}`;
}

/** Returns the failure of a server that is too old. @param number the setting `server_version_num`, such as 150004 */
export function versionProblem(number: number): CheckFailure | undefined {
  if (number >= OLDEST_VERSION * 10_000) return undefined;
  return new CheckFailure(
    `the server has version ${Math.floor(number / 10_000)}`,
    `use PostgreSQL ${OLDEST_VERSION} or newer`,
  );
}

async function rightsFacts(dataSource: DataSource): Promise<string> {
  const [row] = await dataSource.query<{ role: string; schema: string | null; may_create: boolean | null }[]>(
    `SELECT current_user AS role, current_schema() AS schema,
            has_schema_privilege(current_schema(), 'CREATE') AS may_create`,
  );
  const { role = '', schema = null, may_create: mayCreate = null } = row ?? {};
  if (schema === null)
    throw new CheckFailure(
      `the role "${role}" has no schema in its search_path`,
      'create the schema "public", or set search_path of the role',
    );
  if (mayCreate !== true)
    throw new CheckFailure(
      `the role "${role}" may not create tables in the schema "${schema}"`,
      `as the owner of the database, run: GRANT CREATE ON SCHEMA "${schema}" TO "${role}"`,
    );
  return `the role "${role}" may create tables in the schema "${schema}"`;
}

async function schemaFound(dataSource: DataSource) {
  try {
    await refuseDevelopmentDatabase(dataSource);
  } catch (error) {
    throw (
      refusalOf(error) ??
      new CheckFailure('a development version created the tables', 'use an empty database')
    );
  }
  const [table] = await dataSource.query<{ exists: boolean }[]>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`,
  );
  const applied = table?.exists
    ? await dataSource.query<{ name: string }[]>('SELECT name FROM schema_migrations')
    : [];
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const missing = known.size - applied.filter(({ name }) => known.has(name)).length;
  if (applied.some(({ name }) => !known.has(name)))
    throw new CheckFailure(
      'a newer version of the control plane has changed the tables',
      'install that version',
    );
  const facts = missing === 0 ? 'up to date' : `${missing} of ${known.size} migrations are missing`;
  return {
    facts,
    value: true,
    ...(missing === 0 ? {} : { warning: 'run understudy-control-plane migrate before the start' }),
  };
}

/** Returns the failure of an error code of the server, or undefined for other errors. */
function refusalOf(error: unknown): CheckFailure | undefined {
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  const [facts, remedy] = REFUSALS[code] ?? [];
  return facts === undefined || remedy === undefined ? undefined : new CheckFailure(facts, remedy);
}

const REFUSALS: Readonly<Record<string, readonly [facts: string, remedy: string]>> = {
  '28P01': ['the server refuses the password', 'check the user and the password in UNDERSTUDY_DATABASE_URL'],
  '28000': [
    'the server refuses the user or the kind of connection',
    'check the user in UNDERSTUDY_DATABASE_URL, and pg_hba.conf of the server',
  ],
  '3D000': ['the database does not exist', 'create it, or correct its name in UNDERSTUDY_DATABASE_URL'],
  '42501': [
    'the role lacks a privilege',
    'make the role of UNDERSTUDY_DATABASE_URL the owner of the database',
  ],
  '53300': ['the server has no free connection', 'raise max_connections of the server'],
};
/** The oldest version that is tested. */
const OLDEST_VERSION = 14;
const STATEMENT_MS = 5_000;
