import { DataSource, type DataSourceOptions } from 'typeorm';

import type { DatabaseConfiguration } from '../config/configuration.js';
import { Baseline1764200000000 } from './migrations/1764200000000-baseline.js';

/** Append-only, in order. */
export const MIGRATIONS = [Baseline1764200000000];

/** A request waits no longer for one statement; longer work is cut into smaller statements. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** The one description of the control plane's database; the server adds its entities, commands need none. */
export function dataSourceOptions({ url, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: DatabaseConfiguration) {
  return {
    type: 'postgres',
    url,
    applicationName: 'understudy-control-plane',
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    migrationsRun: false,
    // Queries and their parameters hold customers' definitions: the log gets errors by way of the error filter only.
    logging: false,
    poolSize: 20,
    connectTimeoutMS: 5_000,
    extra: {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 30_000,
      // Every query here is meant to go by an index: whole tables are read only where there is none. Lists count millions of
      // rows so. A plan without an index looks dear then, which is no reason to compile it.
      options: '-c enable_seqscan=off -c random_page_cost=1.1 -c jit=off',
    },
  } as const satisfies DataSourceOptions;
}

/**
 * Opens a connection for a one-shot command, which destroys it.
 * @throws as `refuseDevelopmentDatabase` does
 */
export async function openDataSource(database: DatabaseConfiguration): Promise<DataSource> {
  const dataSource = await new DataSource(dataSourceOptions(database)).initialize();
  try {
    await refuseDevelopmentDatabase(dataSource);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/** @throws when migrations were applied and the baseline is none of them: no migration leads from there to the baseline */
export async function refuseDevelopmentDatabase(dataSource: DataSource): Promise<void> {
  const [table] = await dataSource.query<{ exists: boolean }[]>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`,
  );
  if (!table?.exists) return;
  const applied = await dataSource.query<{ name: string }[]>('SELECT name FROM schema_migrations');
  if (applied.length === 0 || applied.some(({ name }) => name === Baseline1764200000000.name)) return;
  throw new Error(
    'This database was made by a development version before 0.1.0: create an empty database and run ' +
      '`understudy-control-plane migrate` there (there is no upgrade path, because nothing was released).',
  );
}
