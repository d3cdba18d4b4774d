import type { DatabaseConfiguration } from '../config/configuration.js';
import { openDataSource } from './data-source.js';

/**
 * The key of the lock that serialises migrations of concurrently starting processes. Its value is arbitrary.
 */
const MIGRATION_LOCK = 7_238_114_590;

/**
 * Brings the schema up to date. There is no timeout, because creating an index on a large table can take
 * long, and so can waiting for another process that migrates.
 * @throws Error if a development version created the database
 * @returns the names of the applied migrations, in order
 */
export async function migrate(database: DatabaseConfiguration): Promise<string[]> {
  const dataSource = await openDataSource({ ...database, statementTimeoutMs: 0 });
  const guard = dataSource.createQueryRunner();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await guard.release();
    await dataSource.destroy();
  }
}
