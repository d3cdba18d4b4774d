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
  const database = await createCopy(postgresUrl, 'template1');
  if (sql !== undefined) await database.query(sql);
  return database;
}

/**
 * Creates a database with a random name that contains what `prepare` creates. The first call for a server prepares a
 * template, and each call copies it. `sharedTestServices` keeps the template for the later suites of the worker.
 * @param template the name of the template, which no other template of the tests has
 */
export async function createPreparedDatabase(
  postgresUrl: string,
  template: string,
  prepare: (database: { readonly url: string }) => Promise<unknown>,
): Promise<TestDatabase> {
  const server = serverOf(postgresUrl);
  if (!(await server.hasTemplate(template))) {
    await server.create(template, 'template1');
    await prepare({ url: `${postgresUrl}/${template}` });
    await server.makeTemplate(template);
  }
  return createCopy(postgresUrl, template);
}

async function createCopy(postgresUrl: string, template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = serverOf(postgresUrl);
  await server.create(name, template);
  const url = `${postgresUrl}/${name}`;
  const pool = new Pool({ connectionString: url, max: 4, ...BRIEFLY_IDLE });
  pool.on('error', () => undefined); // the server ends idle sessions when it stops or the database is dropped
  return {
    url,
    name,
    query: (text, params) => pool.query<Record<string, unknown>>(text, params),
    drop: async () => {
      await pool.end();
      await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
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

  async create(name: string, template: string): Promise<void> {
    await this.query(`CREATE DATABASE ${name} TEMPLATE ${template}${await this.strategy()}`);
  }

  /** Waits for the end of all sessions of the database, because PostgreSQL copies no database in use. */
  async makeTemplate(name: string): Promise<void> {
    await this.query(`ALTER DATABASE ${name} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
    await this.query(
      `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
  }

  async hasTemplate(name: string): Promise<boolean> {
    const found = await this.pool.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [
      name,
    ]);
    return found.rowCount === 1;
  }

  /** Returns the faster way to create and drop small databases. PostgreSQL 14 knows only this one. */
  private async strategy(): Promise<string> {
    if (this.knownStrategy !== undefined) return this.knownStrategy;
    const { rows } = await this.pool.query<{ isOld: boolean }>(
      `SELECT current_setting('server_version_num')::int < 150000 AS "isOld"`,
    );
    this.knownStrategy = rows[0]?.isOld === true ? '' : ' STRATEGY file_copy';
    return this.knownStrategy;
  }
}
