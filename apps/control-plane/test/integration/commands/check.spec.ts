import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { freePort } from '@understudy/local-system';
import { CheckReport, type CheckResult } from '@understudy/operator-commands';
import { generateNatsSeeds } from '@understudy/agent-protocol/nats-trust';
import {
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { ensureBinaries } from '@understudy/testing/provision';
import { Redis } from 'ioredis';

import { runCheck } from '../../../src/commands/check/run-check.js';
import { checkNode } from '../../../src/commands/check/steps/configuration.js';
import { versionProblem } from '../../../src/commands/check/steps/postgres.js';
import { migrate } from '../../../src/platform/persistence/migrate.js';
import { serverEnvironment } from '../harness/server-process.js';
import { runCommand } from './run-command.js';

let services: TestServices;
let database: TestDatabase;
let environment: Record<string, string>;
beforeAll(async () => {
  services = await startTestServices();
  database = await createTestDatabase(services.postgresUrl);
  await migrate({ url: database.url });
  environment = {
    ...serverEnvironment(services, database.url),
    UNDERSTUDY_PORT: '0',
    UNDERSTUDY_OPS_PORT: '0',
  };
});
afterAll(async () => {
  await database?.drop();
  await services?.stop();
});

/** Runs all steps in this process. Fails if the output contains a password of the environment. */
async function check(changes: Record<string, string> = {}, configFile?: string) {
  const variables = { ...environment, ...changes };
  let out = '';
  const code = await runCheck({
    environment: variables,
    ...(configFile === undefined ? {} : { configFile }),
    json: true,
    write: (text) => (out += text),
    note: () => undefined,
  });
  for (const url of [variables['UNDERSTUDY_DATABASE_URL'], variables['UNDERSTUDY_REDIS_URL']])
    if (url !== undefined && URL.canParse(url) && new URL(url).password !== '')
      expect(out).not.toContain(new URL(url).password);
  const results = JSON.parse(out) as CheckResult[];
  const step = (name: string) => results.find((result) => result.step === name);
  return { code, results, step };
}

function changed(url: string, change: (parts: URL) => void): string {
  const parts = new URL(url);
  change(parts);
  return parts.href;
}

describe('understudy-control-plane check', () => {
  it('passes with services that the control plane can use', async () => {
    const { code, results } = await check();
    expect(results.filter(({ state }) => state === 'fail' || state === 'warn')).toMatchObject([
      { step: 'HTTPS', state: 'warn' }, // the public URL of the test is on loopback
      { step: 'Redis persistence', state: 'warn' }, // the Redis of the test stores nothing
    ]);
    expect(code).toBe(0);
    expect(Object.fromEntries(results.map(({ step, facts }) => [step, facts]))).toMatchObject({
      PostgreSQL: expect.stringMatching(/^version \d+.* at 127\.0\.0\.1, without TLS$/),
      'PostgreSQL rights': expect.stringContaining('may create tables in the schema "public"'),
      'PostgreSQL schema': 'up to date',
      Redis: expect.stringMatching(/^version \d/),
      NATS: expect.stringMatching(/^version \d.* at 127\.0\.0\.1:\d+$/),
      'NATS trust': 'the server trusts all four seeds',
      'NATS JetStream': 'on, with storage for its streams',
      'public URL': expect.stringContaining('/healthz in the network of your agents'),
    });
  });

  it('prints one line for each step, and ends with the exit code', async () => {
    const run = await runCommand(['check'], { environment });
    expect([run.code, run.stderr]).toEqual([0, '']);
    for (const line of run.stdout.trimEnd().split('\n')) expect(line).toMatch(/^(ok|warn|skip) +\S/);
  });

  it('reports all problems of the configuration, and skips the other steps, with exit code 2', async () => {
    const { code, results } = await check({ UNDERSTUDY_PORT: 'x', UNDERSTUDY_OPS_PASSWORD: 'short' });
    expect(code).toBe(2);
    expect(results.filter(({ state }) => state === 'fail').map(({ facts }) => facts)).toEqual([
      'UNDERSTUDY_PORT must be a port number, 0 to 65535',
      'UNDERSTUDY_OPS_PASSWORD must have at least 16 characters',
    ]);
    expect(results.at(-1)).toMatchObject({ step: 'all other steps', state: 'skip' });
  });

  it('accepts only versions of Node.js that can load the program', () => {
    const stateOf = (version: string) => {
      const report = new CheckReport(
        () => undefined,
        () => undefined,
      );
      checkNode(report, version);
      return report.results[0]?.state;
    };
    for (const version of ['20.19.0', '22.12.0', '24.0.0'])
      expect([version, stateOf(version)]).toEqual([version, 'ok']);
    for (const version of ['18.20.0', '20.18.1', '21.7.3', '22.11.0'])
      expect([version, stateOf(version)]).toEqual([version, 'fail']);
  });

  describe('PostgreSQL', () => {
    it.each<[string, (parts: URL) => void, string, string]>([
      ['that is away', (url) => (url.port = '1'), 'the connection was refused', 'check the port'],
      ['with a wrong password', (url) => (url.password = 'canary'), 'refuses the password', 'check the user'],
      ['without the database', (url) => (url.pathname = '/canary'), 'does not exist', 'create it'],
    ])('%s fails with the remedy', async (_, change, facts, remedy) => {
      const { code, step } = await check({ UNDERSTUDY_DATABASE_URL: changed(database.url, change) });
      expect(code).toBe(1);
      expect(step('PostgreSQL')).toEqual({
        step: 'PostgreSQL',
        state: 'fail',
        facts: expect.stringContaining(facts),
        remedy: expect.stringContaining(remedy),
      });
      expect(step('PostgreSQL rights')?.state).toBe('skip');
    });

    it('that gives the role no right to create tables fails with the statement to run', async () => {
      const bare = await createTestDatabase(services.postgresUrl);
      try {
        await bare.query(`CREATE ROLE check_reader LOGIN PASSWORD 'canary-reader'`);
        await bare.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
        const url = changed(bare.url, (parts) => {
          parts.username = 'check_reader';
          parts.password = 'canary-reader';
        });
        const { code, step } = await check({ UNDERSTUDY_DATABASE_URL: url });
        expect(code).toBe(1);
        expect(step('PostgreSQL rights')).toMatchObject({
          state: 'fail',
          facts: 'the role "check_reader" may not create tables in the schema "public"',
          remedy: expect.stringContaining('GRANT CREATE ON SCHEMA "public" TO "check_reader"'),
        });
      } finally {
        await bare.query('DROP ROLE IF EXISTS check_reader');
        await bare.drop();
      }
    });

    it('without the tables of this version warns that migrate must run, and stays as it was', async () => {
      const empty = await createTestDatabase(services.postgresUrl);
      try {
        const { code, step } = await check({ UNDERSTUDY_DATABASE_URL: empty.url });
        expect(code).toBe(0);
        expect(step('PostgreSQL schema')).toMatchObject({
          state: 'warn',
          facts: expect.stringMatching(/^(\d+) of \1 migrations are missing$/),
          remedy: expect.stringContaining('run understudy-control-plane migrate'),
        });
        const { rows } = await empty.query(
          `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'`,
        );
        expect(rows).toEqual([{ n: 0 }]);
      } finally {
        await empty.drop();
      }
    });

    it('that is too old fails', () => {
      expect(versionProblem(140_000)).toBeUndefined();
      expect(versionProblem(130_022)).toMatchObject({
        facts: 'the server has version 13',
        remedy: 'use PostgreSQL 14 or newer',
      });
    });
  });

  describe('Redis', () => {
    it.each<[string, (parts: URL) => void, string]>([
      ['that is away', (url) => (url.port = '1'), 'the connection was refused'],
      ['with a wrong password', (url) => (url.password = 'canary'), 'Redis refuses the password'],
      ['without a password', (url) => (url.password = ''), 'Redis refuses the password'],
    ])('%s fails with the remedy', async (_, change, facts) => {
      const { code, step } = await check({ UNDERSTUDY_REDIS_URL: changed(services.redisUrl, change) });
      expect(code).toBe(1);
      expect(step('Redis')).toMatchObject({ state: 'fail', facts: expect.stringContaining(facts) });
      expect(step('Redis')?.remedy).toMatch(/check the p(ort|assword)/);
    });

    it('that may drop queued work fails', async () => {
      const redis = new Redis(services.redisUrl);
      try {
        await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
        const { code, step } = await check();
        expect(code).toBe(1);
        expect(step('Redis memory')).toMatchObject({
          state: 'fail',
          remedy: 'set maxmemory-policy noeviction in redis.conf',
        });
      } finally {
        await redis.config('SET', 'maxmemory-policy', 'noeviction');
        redis.disconnect();
      }
    });
  });

  describe('NATS', () => {
    const other = generateNatsSeeds();

    it('that is away fails', async () => {
      const { code, step } = await check({ UNDERSTUDY_NATS_URL: 'nats://127.0.0.1:1' });
      expect(code).toBe(1);
      expect(step('NATS')).toMatchObject({
        state: 'fail',
        facts: expect.stringContaining('127.0.0.1:1: the connection was refused'),
      });
    });

    it('that accepts connections without credentials fails', async () => {
      const port = await freePort();
      const server = spawn((await ensureBinaries()).nats.path, ['-a', '127.0.0.1', '-p', String(port)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      try {
        for await (const line of createInterface(server.stderr)) if (line.endsWith('Server is ready')) break;
        const { code, step } = await check({ UNDERSTUDY_NATS_URL: `nats://127.0.0.1:${port}` });
        expect(code).toBe(1);
        expect(step('NATS trust')).toMatchObject({
          state: 'fail',
          facts: 'the server uses another seed of the operator and the agent account',
          remedy: expect.stringContaining('nats.conf that was made from the same seeds'),
        });
      } finally {
        server.kill();
      }
    });

    it.each([
      ['UNDERSTUDY_NATS_OPERATOR_SEED', other.operator, 'NATS trust', 'another seed of the operator'],
      [
        'UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED',
        other.agentAccount,
        'NATS trust',
        'another seed of the agent account',
      ],
      ['UNDERSTUDY_NATS_ACCOUNT_SEED', other.account, 'NATS', 'refuses the seed of the account'],
      [
        'UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED',
        other.systemAccount,
        'NATS',
        'refuses the seed of the system account',
      ],
    ])('that does not trust %s fails', async (name, seed, step, facts) => {
      const checked = await check({ [name]: seed });
      expect(checked.code).toBe(1);
      expect(checked.step(step)).toMatchObject({
        state: 'fail',
        facts: expect.stringContaining(facts),
        remedy: expect.stringContaining('nats.conf that was made from the same seeds'),
      });
    });
  });

  describe('a port in use', () => {
    let server: Server;
    let readiness: string;
    beforeAll(async () => {
      server = createServer((_, response) => response.end(readiness));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    afterAll(() => void server.close());
    const port = () => String((server.address() as AddressInfo).port);

    it('fails if another program uses it', async () => {
      readiness = '{"status":"ok"}';
      const { code, step } = await check({ UNDERSTUDY_PORT: port() });
      expect(code).toBe(1);
      expect(step('API port')).toMatchObject({
        facts: `another program uses 127.0.0.1:${port()}`,
        remedy: 'stop that program, or set UNDERSTUDY_PORT to another port',
      });
    });

    it('is right if a control plane uses it', async () => {
      readiness = '{"status":"away","services":{"postgres":"ok","redis":"ok","nats":"away"}}';
      const { code, step } = await check({ UNDERSTUDY_OPS_PORT: port() });
      expect([code, step('operations port')?.state]).toEqual([0, 'ok']);
    });
  });

  it('refuses a file of variables with secrets that every user can read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-check-'));
    try {
      const file = join(folder, 'control-plane.env');
      writeFileSync(file, 'UNDERSTUDY_OPS_PASSWORD=canary-canary-canary\n');
      chmodSync(file, 0o644);
      expect((await check({}, file)).step('file modes')).toMatchObject({
        state: 'fail',
        remedy: 'run chmod o-rwx on it',
      });
      chmodSync(file, 0o640);
      expect((await check({}, file)).step('file modes')).toMatchObject({ state: 'ok' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
