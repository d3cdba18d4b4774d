import {
  createTestDatabase,
  sharedTestServices,
  waitFor,
  type SharedTestServices,
} from '@understudy/testing';
import { Client } from 'pg';

import { MIGRATIONS } from '../../../src/platform/persistence/data-source.js';
import { migrate } from '../../../src/platform/persistence/migrate.js';
import { MADE_BY_A_DEVELOPMENT_VERSION } from '../harness/development-database.sql.js';

const STATEMENT_TIMEOUT_MS = 50;
/** Selects a row for each statement that has waited for a lock for more than twice the statement timeout. */
const WAITED_LONGER = `
  SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND now() - query_start > ${STATEMENT_TIMEOUT_MS} * interval '1 millisecond' * 2`;

let services: SharedTestServices;
beforeAll(async () => {
  services = await sharedTestServices();
});
afterAll(() => services?.stop());

/**
 * Runs the migrations while another session holds the lock that the statement `lock` acquires. Releases the
 * lock after the migrations have waited longer than the statement timeout.
 */
async function migrateBehind(lock: string) {
  const database = await createTestDatabase(services.postgresUrl);
  const other = new Client({ connectionString: database.url });
  await other.connect();
  try {
    await other.query(`BEGIN; ${lock}`);
    const migrating = migrate({ url: database.url, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    const outcome = migrating.then(
      (names) => names.length,
      (error: unknown) => String(error),
    );
    await Promise.race([
      outcome,
      waitFor('a wait that is longer than the timeout', async () => {
        const { rows } = await database.query(WAITED_LONGER);
        return rows.length === 1;
      }),
    ]);
    await other.query('ROLLBACK');
    return await outcome;
  } finally {
    await other.end();
    await database.drop();
  }
}

describe('migrations', () => {
  it('wait longer than the statement timeout for another process that migrates', async () => {
    expect(await migrateBehind('SELECT pg_advisory_xact_lock(7238114590)')).toBe(MIGRATIONS.length);
  });

  it('may run longer than the statement timeout', async () => {
    // The baseline creates a table with this name, so it waits for the session that is creating the table.
    expect(await migrateBehind('CREATE TABLE organizations (id text)')).toBe(MIGRATIONS.length);
  });

  it('refuse a database of a development version and do not change it', async () => {
    const database = await createTestDatabase(services.postgresUrl);
    try {
      await database.query(MADE_BY_A_DEVELOPMENT_VERSION);
      await expect(migrate(database)).rejects.toThrow(
        'This database was created by a development version before 0.1.0. Create an empty database',
      );
      const tables = await database.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
      expect(tables.rows).toEqual([{ tablename: 'schema_migrations' }]);
    } finally {
      await database.drop();
    }
  });
});
