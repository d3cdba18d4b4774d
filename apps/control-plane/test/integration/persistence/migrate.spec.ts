import { createTestDatabase, startTestServices, waitFor, type TestServices } from '@understudy/testing';
import { Client } from 'pg';

import { MIGRATIONS } from '../../../src/persistence/data-source.js';
import { ADD_RETENTION, DROP_RETENTION } from '../../../src/persistence/migrations/retention.sql.js';
import { migrate } from '../../../src/persistence/migrate.js';

const STATEMENT_TIMEOUT_MS = 50;
/** Whether a statement of another session has waited for longer than the timeout. */
const WAITED_LONGER = `
  SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND now() - query_start > ${STATEMENT_TIMEOUT_MS} * interval '1 millisecond' * 2`;

let services: TestServices;
beforeAll(async () => {
  services = await startTestServices();
});
afterAll(() => services?.stop());

/** Runs the migrations while another session holds `lock`, until they have waited longer than the timeout. */
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
  it('wait for another process that migrates, longer than a statement of a request may take', async () => {
    expect(await migrateBehind('SELECT pg_advisory_xact_lock(7238114590)')).toBe(MIGRATIONS.length);
  });

  it('take longer than a statement of a request may take', async () => {
    // The first migration makes a table of this name, and waits for whoever is making it.
    expect(await migrateBehind('CREATE TABLE organizations (id text)')).toBe(MIGRATIONS.length);
  });

  it('move addresses out of audit entries that an earlier version wrote', async () => {
    const database = await createTestDatabase(services.postgresUrl);
    try {
      await migrate(database);
      for (const statement of DROP_RETENTION) await database.query(statement);
      const [org, member] = [`org_${'0'.repeat(26)}`, `mem_${'0'.repeat(26)}`];
      await database.query(`INSERT INTO organizations (id, name, plan) VALUES ('${org}', 'old', 'free')`);
      await database.query(
        `INSERT INTO audit_entries VALUES ('aud_${'0'.repeat(26)}', '${org}', now(), 'server', NULL, NULL,
          'member.invited', 'member', '${member}', NULL, '{"email": "ada@example.com", "role": "viewer"}')`,
      );
      for (const statement of ADD_RETENTION) await database.query(statement);
      const entries = await database.query('SELECT details FROM audit_entries');
      expect(entries.rows).toEqual([{ details: { role: 'viewer' } }]);
      const subjects = await database.query('SELECT * FROM audit_subjects');
      expect(subjects.rows).toEqual([{ member_id: member, organization_id: org, email: 'ada@example.com' }]);
      await expect(database.query('DELETE FROM audit_entries')).rejects.toThrow('append-only');
    } finally {
      await database.drop();
    }
  });
});
