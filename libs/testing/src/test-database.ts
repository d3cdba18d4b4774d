import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  query(sql: string, params?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  /** Drops the database even if other sessions still use it. */
  drop(): Promise<void>;
}

/**
 * Creates an empty database with a random name.
 * @param postgresUrl superuser URL without a database name
 * @param sql statements to run in the new database
 */
export async function createTestDatabase(postgresUrl: string, sql?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withServer(postgresUrl, `CREATE DATABASE ${name}`);
  const url = `${postgresUrl}/${name}`;
  const pool = new Pool({ connectionString: url, max: 4, idleTimeoutMillis: 1_000, allowExitOnIdle: true });
  pool.on('error', () => undefined); // the server ends idle sessions when it stops or the database is dropped
  const database: TestDatabase = {
    url,
    name,
    query: (text, params) => pool.query<Record<string, unknown>>(text, params),
    drop: async () => {
      await pool.end();
      await withServer(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
  if (sql !== undefined) await database.query(sql);
  return database;
}

async function withServer(postgresUrl: string, sql: string): Promise<void> {
  const pool = new Pool({ connectionString: `${postgresUrl}/postgres`, max: 1 });
  pool.on('error', () => undefined);
  try {
    await pool.query(sql);
  } finally {
    await pool.end();
  }
}
