import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  query(sql: string, params?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  /** Drops the database even if other sessions still use it. */
  drop(): Promise<void>;
}

const BRIEFLY_IDLE = { idleTimeoutMillis: 1_000, allowExitOnIdle: true };

/**
 * Creates an empty database with a random name.
 * @param postgresUrl superuser URL without a database name
 * @param sql statements to run in the new database
 */
export async function createTestDatabase(postgresUrl: string, sql?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = serverOf(postgresUrl);
  await server.query(`CREATE DATABASE ${name}${await server.strategy()}`);
  const url = `${postgresUrl}/${name}`;
  const pool = new Pool({ connectionString: url, max: 4, ...BRIEFLY_IDLE });
  pool.on('error', () => undefined); // the server ends idle sessions when it stops or the database is dropped
  const database: TestDatabase = {
    url,
    name,
    query: (text, params) => pool.query<Record<string, unknown>>(text, params),
    drop: async () => {
      await pool.end();
      await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
  if (sql !== undefined) await database.query(sql);
  return database;
}

/** The servers on which this suite has created databases, by their URL. */
const SERVERS = new Map<string, Server>();

function serverOf(postgresUrl: string): Server {
  const server = SERVERS.get(postgresUrl) ?? new Server(postgresUrl);
  SERVERS.set(postgresUrl, server);
  return server;
}

/** Creates and drops databases in one session, which ends after a second without a statement. */
class Server {
  private readonly pool: Pool;
  private knownStrategy: string | undefined;

  constructor(postgresUrl: string) {
    this.pool = new Pool({ connectionString: `${postgresUrl}/postgres`, max: 1, ...BRIEFLY_IDLE });
    this.pool.on('error', () => undefined); // as for databases
  }

  async query(sql: string): Promise<void> {
    await this.pool.query(sql);
  }

  /** Returns the faster way to create and drop small databases. PostgreSQL 14 knows only this one. */
  async strategy(): Promise<string> {
    if (this.knownStrategy !== undefined) return this.knownStrategy;
    const { rows } = await this.pool.query<{ isOld: boolean }>(
      `SELECT current_setting('server_version_num')::int < 150000 AS "isOld"`,
    );
    this.knownStrategy = rows[0]?.isOld === true ? '' : ' STRATEGY file_copy';
    return this.knownStrategy;
  }
}
