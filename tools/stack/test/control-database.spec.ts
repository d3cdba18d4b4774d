import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startTestServices, type TestServices } from '@understudy/testing';
import { Client } from 'pg';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const PASSWORD = `it's "quoted" $HOME`;

describe('deploy/docker/control-database.sh', () => {
  let services: TestServices;
  beforeAll(async () => {
    services = await startTestServices({ postgres: true });
  });
  afterAll(() => services?.stop());

  it('creates a role that is not a superuser and can migrate the database of the control plane', async () => {
    const server = new URL(services.postgresUrl);
    await run('sh', [join(root, 'deploy/docker/control-database.sh')], {
      env: {
        PATH: `${services.postgresBinFolder}:${process.env['PATH']}`,
        PGHOST: server.hostname,
        PGPORT: server.port,
        PGPASSWORD: server.password,
        POSTGRES_USER: server.username,
        UNDERSTUDY_CONTROL_DATABASE_PASSWORD: PASSWORD,
      },
    });
    server.username = 'understudy_control';
    server.password = encodeURIComponent(PASSWORD);
    server.pathname = '/understudy_control';
    const { stdout } = await run(
      process.execPath,
      [join(root, 'apps/control-plane/dist/cli.js'), 'migrate'],
      {
        env: { PATH: process.env['PATH'], UNDERSTUDY_DATABASE_URL: server.href },
      },
    );
    expect(stdout).toMatch(/^Applied /);
    const client = new Client({ connectionString: server.href });
    await client.connect();
    try {
      const { rows } = await client.query(
        'SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication FROM pg_roles WHERE rolname = current_user',
      );
      expect(Object.values(rows[0] as object)).toEqual([false, false, false, false, false]);
    } finally {
      await client.end();
    }
  });
});
