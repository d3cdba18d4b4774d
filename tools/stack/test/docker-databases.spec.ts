import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import {
  connect,
  DATABASE_ROLES,
  disconnect,
  missingPrivileges,
  parseConnectionUrl,
} from '@understudy/postgres';
import { startTestServices, type TestServices } from '@understudy/testing';
import { Client } from 'pg';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const PASSWORD = `it's "quoted" $HOME`;
const ADMIN = 'an "administrator"';

describe('the scripts of the database servers in docker-compose.yml', () => {
  let services: TestServices;
  beforeAll(async () => {
    services = await startTestServices({ postgres: true });
    const quoted = `"${ADMIN.replaceAll('"', '""')}"`;
    await query(at('postgres', 'postgres'), `CREATE ROLE ${quoted} SUPERUSER LOGIN PASSWORD 'admin'`);
  });
  afterAll(() => services?.stop());

  function at(user: string, database: string, password = new URL(services.postgresUrl).password): string {
    const parts = {
      username: encodeURIComponent(user),
      password: encodeURIComponent(password),
      pathname: `/${database}`,
    };
    return Object.assign(new URL(services.postgresUrl), parts).href;
  }

  /** Runs a script as the image does, with a superuser that only this test uses. */
  async function script(name: string, variable: string): Promise<void> {
    const server = new URL(services.postgresUrl);
    await run('sh', [join(root, 'deploy/docker', name)], {
      env: {
        PATH: `${services.postgresBinFolder}:${process.env['PATH']}`,
        PGHOST: server.hostname,
        PGPORT: server.port,
        PGPASSWORD: 'admin',
        POSTGRES_USER: ADMIN,
        [variable]: PASSWORD,
      },
    });
  }

  async function query(url: string, sql: string): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  const FLAGS = `SELECT rolsuper, rolcreaterole, rolbypassrls, rolreplication, rolcreatedb FROM pg_roles WHERE rolname = current_user`;
  const flagsOf = async (url: string) => Object.values((await query(url, FLAGS))[0] as object);

  it('create a role that is not a superuser and can migrate the database of the control plane', async () => {
    await script('control-database.sh', 'UNDERSTUDY_CONTROL_DATABASE_PASSWORD');
    const url = at('understudy_control', 'understudy_control', PASSWORD);
    const { stdout } = await run(
      process.execPath,
      [join(root, 'apps/control-plane/dist/bundle/cli.js'), 'migrate'],
      { env: { PATH: process.env['PATH'], UNDERSTUDY_DATABASE_URL: url } },
    );
    expect(stdout).toMatch(/^Applied /);
    expect(await flagsOf(url)).toEqual([false, false, false, false, false]);
  });

  it('create a role that may do everything in its own databases, and end the logins of the superuser', async () => {
    await script('databases.sh', 'UNDERSTUDY_DATABASES_PASSWORD');
    const url = at('understudy', 'postgres', PASSWORD);
    expect(await flagsOf(url)).toEqual([false, false, false, false, true]);
    await query(url, 'CREATE DATABASE trial');
    const trial = at('understudy', 'trial', PASSWORD);
    await query(
      trial,
      'CREATE TABLE public.t (id serial PRIMARY KEY); CREATE SEQUENCE s; CREATE SCHEMA other',
    );
    const client = await connect(parseConnectionUrl(trial), 'target');
    expect(await missingPrivileges(client, new Set(DATABASE_ROLES))).toEqual([]);
    await disconnect(client);
    await expect(query(at(ADMIN, 'postgres', 'admin'), 'SELECT')).rejects.toThrow(
      'password authentication failed',
    );
  });
});
