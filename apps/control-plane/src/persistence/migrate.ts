import type { DatabaseConfiguration } from '../config/configuration.js';
import { openDataSource } from './data-source.js';

/** Serialises migrations of processes that start together; any constant does. */
const MIGRATION_LOCK = 7_238_114_590;

/**
 * Brings the schema up to date. Nothing in it has a timeout: an index of a large table takes long, and so does the wait for
 * another process that migrates.
 * @throws when a development version made the database
 * @returns names of what was applied, in order
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
