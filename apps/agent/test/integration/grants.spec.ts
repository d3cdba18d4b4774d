import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { connect, disconnect, missingPrivileges, parseConnectionUrl } from '@understudy/postgres';
import {
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';

const CLI = join(import.meta.dirname, '../../dist/bundle/cli.js');

/** Names that would end a quoted name, a comment or a statement if they were not quoted. */
const HOSTILE = `a"; DROP TABLE victim; --\n\\! false`;

describe('understudy-agent grants', () => {
  let folder: string;
  let services: TestServices;
  let database: TestDatabase;
  let host: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agent-grants-'));
    services = await startTestServices({ postgres: true });
    const quoted = HOSTILE.replaceAll('"', '""');
    database = await createTestDatabase(
      services.postgresUrl,
      `CREATE TABLE victim (id int); CREATE SCHEMA "${quoted}"; CREATE ROLE "${quoted}";
       CREATE TABLE "${quoted}"."${quoted}" (id serial PRIMARY KEY);
       CREATE TABLE owned (id int); ALTER TABLE owned OWNER TO "${quoted}"`,
    );
    host = new URL(database.url).host;
  });

  afterAll(async () => {
    await services.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Run {
    readonly code: number;
    readonly out: string;
    readonly err: string;
  }

  async function grants(args: readonly string[], user = 'masker'): Promise<Run> {
    const policy = join(folder, 'policy.yaml');
    const at = (name: string, roles: string) =>
      `  ${name}: {url: "postgresql://${user}:agents-secret@${host}/${database.name}", roles: [${roles}]}`;
    writeFileSync(policy, `databases:\n${at('shop', 'source, snapshot')}\n${at('staging', 'target')}`);
    const env = {
      PATH: process.env['PATH'],
      UNDERSTUDY_AGENT_POLICY_FILE: policy,
      ADMIN_URL: database.url,
      WRONG_URL: Object.assign(new URL(database.url), { password: 'wrong-secret' }).href,
    };
    return run(process.execPath, [CLI, 'grants', ...args], env);
  }

  function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
    return new Promise((resolve) => {
      execFile(program, args, { env }, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, err });
      });
    });
  }

  async function runScript(script: string): Promise<Run> {
    const file = join(folder, 'grants.sql');
    writeFileSync(file, script);
    const args = ['--set=ON_ERROR_STOP=1', '--single-transaction', `--file=${file}`, database.url];
    return run(join(services.postgresBinFolder, 'psql'), args, { PATH: process.env['PATH'] });
  }

  it.each(['shop', 'staging'])(
    'prints a script for %s that psql runs, and that gives every privilege',
    async (name) => {
      const user = `${name}_role`;
      const printed = await grants(['--database', name, '--admin-url-env', 'ADMIN_URL'], user);
      expect(printed).toMatchObject({ code: 0, err: '' });
      expect(await runScript(printed.out)).toMatchObject({ code: 0, err: '' });
      await database.query(`SELECT FROM victim; ALTER ROLE ${user} PASSWORD 'agents-secret'`);
      const url = `postgresql://${user}:agents-secret@${host}/${database.name}`;
      const client = await connect(parseConnectionUrl(url), 'target');
      const uses = name === 'shop' ? (['source', 'snapshot'] as const) : (['target'] as const);
      expect(await missingPrivileges(client, new Set(uses))).toEqual([]);
      await disconnect(client);

      const again = await grants(['--database', name, '--json'], user);
      const { connected, statements } = JSON.parse(again.out) as {
        connected: boolean;
        statements: readonly { sql: string }[];
      };
      expect(connected).toBe(true);
      expect(statements.some(({ sql }) => sql.startsWith('CREATE ROLE'))).toBe(false);
    },
  );

  it('prints a script to complete if it cannot connect, with the reason on stderr', async () => {
    const printed = await grants(['--database', 'staging']);
    expect(printed).toMatchObject({ code: 0, err: expect.stringContaining('--admin-url-env') });
    expect(printed.out).toContain('GRANT USAGE, CREATE ON SCHEMA "public" TO "masker";');
    expect(printed.out).toContain('-- GRANT <owner> TO "masker";');
    expect(printed.out).not.toContain('secret');
    const source = await grants(['--database', 'shop']);
    expect(source.out).toContain('-- ALTER DEFAULT PRIVILEGES FOR ROLE <creator> IN SCHEMA public');
    expect((await runScript(`${source.out}\nROLLBACK;`)).err).not.toContain('ERROR');
  });

  it.each<[string, readonly string[], string | undefined, string]>([
    ['a database that the policy does not name', ['--database', 'other'], undefined, '(shop, staging)'],
    [
      'a superuser',
      ['--database', 'shop', '--admin-url-env', 'ADMIN_URL'],
      'postgres',
      'the superuser "postgres"',
    ],
    [
      'a wrong administrator URL',
      ['--database', 'shop', '--admin-url-env', 'WRONG_URL'],
      undefined,
      'authentication_failed',
    ],
    [
      'an unset variable',
      ['--database', 'shop', '--admin-url-env', 'NO_URL'],
      undefined,
      'expected postgresql://',
    ],
  ])('refuses %s', async (_, args, user, message) => {
    const { code, out, err } = await grants(args, user);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(message);
    expect(err).not.toContain('secret');
  });
});
