import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import {
  createTestDatabase,
  startTestServices,
  waitFor,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';

import { installLines } from '../../../src/agents/enrolment/install-lines.js';
import { MIGRATIONS } from '../../../src/persistence/data-source.js';
import { MADE_BY_A_DEVELOPMENT_VERSION } from '../harness/development-database.sql.js';
import { WIDE } from '../harness/generation-schemas.js';
import { startServerProcess } from '../harness/server-process.js';
import { testOffer } from '../harness/test-offer.js';

jest.setTimeout(300_000); // one test starts the program many times in turn

const DIST = join(import.meta.dirname, '../../../dist');
const OPS_PASSWORD = 'canary-ops-password';

let services: TestServices;
let database: TestDatabase;
let env: Record<string, string>;
let apiToken: string;

beforeAll(async () => {
  if (!existsSync(join(DIST, 'main.js'))) throw new Error('build first: npx tsc -b apps/control-plane');
  services = await startTestServices();
  database = await createTestDatabase(services.postgresUrl);
  env = {
    PATH: process.env['PATH'] ?? '',
    UNDERSTUDY_DATABASE_URL: database.url,
    UNDERSTUDY_REDIS_URL: services.redisUrl,
    UNDERSTUDY_NATS_URL: services.natsUrl,
    UNDERSTUDY_NATS_OPERATOR_SEED: services.natsSeeds.operator,
    UNDERSTUDY_NATS_ACCOUNT_SEED: services.natsSeeds.account,
    UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: services.natsSeeds.agentAccount,
    UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: services.natsSeeds.systemAccount,
    UNDERSTUDY_OPS_PASSWORD: OPS_PASSWORD,
    UNDERSTUDY_PORT: '0',
    UNDERSTUDY_OPS_PORT: '0',
  };
});
afterAll(async () => {
  await database?.drop();
  await services?.stop();
});

async function run(args: readonly string[], environment = env, program = 'cli.js') {
  const child = spawn(process.execPath, [join(DIST, program), ...args], { env: environment });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => (stdout += String(data)));
  child.stderr.on('data', (data) => (stderr += String(data)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

describe('the command line', () => {
  it('migrates once if two processes migrate in parallel', async () => {
    const runs = await Promise.all([run(['migrate']), run(['migrate'])]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect((await database.query('SELECT count(*)::int AS n FROM schema_migrations')).rows).toEqual([
      { n: MIGRATIONS.length },
    ]);
  });

  it.each([
    ['cli.js', ['migrate']],
    ['cli.js', ['bootstrap', '--org', 'Old']],
    ['cli.js', ['start']],
    ['main.js', []],
  ])('%s %j refuses a database of a development version', async (program, args) => {
    const old = await createTestDatabase(services.postgresUrl);
    try {
      await old.query(MADE_BY_A_DEVELOPMENT_VERSION);
      const { code, stderr } = await run(args, { ...env, UNDERSTUDY_DATABASE_URL: old.url }, program);
      expect(code).toBe(1);
      expect(stderr).toBe(
        'understudy-control-plane: This database was created by a development version before 0.1.0. Create an empty ' +
          'database and run `understudy-control-plane migrate` there (there is no upgrade path, because nothing was released).\n',
      );
    } finally {
      await old.drop();
    }
  });

  it('creates one organisation with bootstrap, and no second one', async () => {
    const first = await run(['bootstrap', '--org', 'Acme', '--plan', 'team', '--json']);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toEqual({
      org_id: expect.stringMatching(/^org_/),
      api_token: expect.stringMatching(/^us_live_/),
    });
    ({ api_token: apiToken } = JSON.parse(first.stdout) as { api_token: string });
    const second = await run(['bootstrap', '--org', 'Other']);
    expect([second.code, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toContain('exists already');
  });

  it('creates further organisations with org create, each name once', async () => {
    const made = await run(['org', 'create', '--name', 'Second', '--json']);
    expect([made.code, JSON.parse(made.stdout)]).toEqual([
      0,
      { org_id: expect.stringMatching(/^org_/), api_token: expect.stringMatching(/^us_live_/) },
    ]);
    const { rows } = await database.query(`SELECT plan FROM organizations WHERE name = 'Second'`);
    expect(rows).toEqual([{ plan: 'free' }]);
    const again = await run(['org', 'create', '--name', 'SECOND']);
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain('an organisation of this name exists already');
  });

  it('changes the plan of an existing organisation with org set-plan and records the change', async () => {
    const { rows } = await database.query(`SELECT id FROM organizations WHERE name = 'Second'`);
    const id = String(rows[0]?.['id']);
    const setPlan = (plan: string, org = id) =>
      run(['org', 'set-plan', '--org', org, '--plan', plan, '--json']);
    const changed = await setPlan('team');
    expect([changed.code, JSON.parse(changed.stdout)]).toEqual([
      0,
      { org_id: id, plan: 'team', plan_before: 'free' },
    ]);
    expect(JSON.parse((await setPlan('team')).stdout)).toMatchObject({ plan_before: 'team' });
    const entries = await database.query(
      `SELECT actor_type, details FROM audit_entries WHERE target_id = $1 AND action = 'organization.plan_changed'`,
      [id],
    );
    expect(entries.rows).toEqual([{ actor_type: 'command_line', details: { from: 'free', to: 'team' } }]);
    const none = await setPlan('team', `org_${'0'.repeat(26)}`);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('expected the id of an existing organisation'),
    ]);
    expect((await setPlan('gold')).code).toBe(2);
  });

  it('erases only the address of a removed member with member forget', async () => {
    const { rows } = await database.query(`SELECT id FROM organizations WHERE name = 'Second'`);
    const member = `mem_${'0'.repeat(26)}`;
    await database.query('INSERT INTO audit_subjects VALUES ($1, $2, $3)', [
      member,
      rows[0]?.['id'],
      'gone@example.com',
    ]);
    const forgotten = await run(['member', 'forget', '--member', member]);
    expect([forgotten.code, forgotten.stdout]).toEqual([0, 'The address is erased.\n']);
    const again = await run(['member', 'forget', '--member', member]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('remove the member first')]);
    expect((await run(['member', 'forget', '--member', 'x'])).code).toBe(2);
  });

  it('creates a link for exactly one member with sign-in-link', async () => {
    const { rows } = await database.query(`SELECT id FROM organizations ORDER BY name`);
    const [first, second] = rows.map(({ id }) => String(id));
    const insert = `INSERT INTO members (id, organization_id, email, email_key, role, invited_at, joined_at)
      VALUES ($1, $2, 'Ada@Example.com', 'ada@example.com', 'viewer', now(), now())`;
    const member = `mem_${'1'.repeat(26)}`;
    await database.query(insert, [member, first]);
    const link = (...args: string[]) => run(['sign-in-link', ...args], { ...env, UNDERSTUDY_PORT: '8080' });
    const made = await link('--member', 'ADA@example.com', '--json');
    expect([made.code, JSON.parse(made.stdout)]).toEqual([
      0,
      {
        member_id: member,
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/dashboard\/sign-in#link=us_link_[\w-]{43}$/),
        expires_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await link('--member', member)).stdout).toMatch(/^http:.*\nThe link works once, until .*Z\.\n$/);
    await database.query(insert, [`mem_${'2'.repeat(26)}`, second]);
    const ambiguous = await link('--member', 'ada@example.com');
    expect([ambiguous.code, ambiguous.stderr]).toEqual([1, expect.stringContaining('add --org <id>')]);
    expect((await link('--member', 'ada@example.com', '--org', String(second))).code).toBe(0);
    const nobody = await link('--member', 'nobody@example.com');
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('check --member and --org')]);
    expect((await link('--member', 'x')).code).toBe(2);
    const entries = await database.query(
      `SELECT actor_type, details ->> 'member_id' AS member FROM audit_entries WHERE action = 'sign_in_link.created'`,
    );
    expect(entries.rows).toHaveLength(3);
    expect(entries.rows[0]).toEqual({ actor_type: 'command_line', member });
  });

  it('creates a token of an existing organisation with token create', async () => {
    const { rows } = await database.query(`SELECT id FROM organizations WHERE name = 'Second'`);
    const args = ['token', 'create', '--org', String(rows[0]?.['id']), '--role', 'member', '--json'];
    const made = await run([...args, '--scopes', 'jobs:read', 'generate', '--expires-in-days', '3']);
    const { id, token } = JSON.parse(made.stdout) as { id: string; token: string };
    const stored = await database.query(
      'SELECT role, scopes, expires_at - created_at AS lifetime FROM api_tokens WHERE id = $1',
      [id],
    );
    expect(stored.rows).toEqual([
      { role: 'member', scopes: ['jobs:read', 'generate'], lifetime: expect.objectContaining({ days: 3 }) },
    ]);
    const entries = await database.query(
      `SELECT actor_type, action, details::text FROM audit_entries WHERE target_id = $1`,
      [id],
    );
    expect(entries.rows).toMatchObject([{ actor_type: 'command_line', action: 'token.created' }]);
    expect(JSON.stringify(entries.rows)).not.toContain(token);
    for (const wrong of [
      ['--role', 'root'],
      ['--scopes', 'everything'],
      ['--expires-in-days', '366'],
    ])
      expect((await run([...args, ...wrong])).code).toBe(2);
    const none = await run(['token', 'create', '--org', `org_${'0'.repeat(26)}`, '--role', 'viewer']);
    expect(none.stderr).toContain('expected the id of an existing organisation');
  });

  it('requires an existing organisation for agent enrolment-token', async () => {
    const { rows } = await database.query('SELECT id FROM organizations');
    const publicEnv = { ...env, UNDERSTUDY_PUBLIC_URL: 'https://understudy.example.com/' };
    const args = ['agent', 'enrolment-token', '--org', String(rows[0]?.['id'])];
    const made = await run([...args, '--json'], publicEnv);
    const install = installLines('https://understudy.example.com');
    expect(JSON.parse(made.stdout)).toEqual({
      token: expect.any(String),
      expires_at: expect.stringMatching(/Z$/),
      install,
    });
    const shown = (await run(args, publicEnv)).stdout;
    for (const line of Object.values(install).flat()) expect(shown).toContain(line);
    const none = await run(['agent', 'enrolment-token', '--org', `org_${'0'.repeat(26)}`]);
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('expected the id of an existing organisation');
  });

  it.each([
    ['start', ''],
    ['dev', ''],
    ['migrate', ''],
    ['bootstrap', '--org <name>'],
    ['org create', '--name <name>'],
    ['token create', '--org <id>'],
    ['sign-in-link', '--member <member>'],
    ['agent enrolment-token', '--org <id>'],
    ['operations', ''],
  ])('prints help with an example for %s and refuses unknown options', async (command, needed) => {
    const args = command.split(' ');
    const help = await run([...args, '--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(
      new RegExp(`Example:\\n  \\$ understudy-control-plane (--config \\S+ )?${command}`),
    );
    expect(help.stdout).toContain(needed);
    const unknown = await run([...args, '--surprise']);
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toContain('(run with --help for the available options)');
    if (needed === '') return;
    const incomplete = await run(args);
    expect([incomplete.code, incomplete.stdout]).toEqual([2, '']);
    expect(incomplete.stderr).toContain('required option');
  });

  it.each([['migrate'], ['bootstrap', '--org', 'Away'], ['org', 'create', '--name', 'Away']])(
    'reports for %s that the database is unreachable, without its password',
    async (...args) => {
      const away = 'postgresql://understudy:canary-password@127.0.0.1:1/none';
      const { code, stdout, stderr } = await run(args, { ...env, UNDERSTUDY_DATABASE_URL: away });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('understudy-control-plane: ');
      expect(stderr).not.toContain('canary');
    },
  );

  it('reports invalid arguments and environment variables', async () => {
    expect((await run(['bootstrap', '--org', 'A', '--plan', 'gold'])).code).toBe(2);
    const unset = await run(['migrate'], { PATH: env['PATH'] ?? '' });
    expect(unset.code).toBe(2);
    expect(unset.stderr).toContain('UNDERSTUDY_DATABASE_URL is not set');
    expect((await run(['bootstrap', '--help'])).stdout).toContain('Example:');
  });
});

describe('the server', () => {
  it('logs requests and jobs by their ids, and neither request content nor secrets', async () => {
    const server = await startServerProcess({ ...env, UNDERSTUDY_LOG_LEVEL: 'trace' });
    const responses: string[] = [];
    const send = async (method: string, path: string, body?: unknown, token = apiToken) => {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': `canary-key-${responses.length}`,
          cookie: 'canary-cookie',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      responses.push(await response.text());
      return { status: response.status, id: response.headers.get('x-request-id') ?? '' };
    };
    const { rows } = await database.query('SELECT id FROM organizations ORDER BY created_at LIMIT 1');
    await database.query(
      `INSERT INTO agents (id, organization_id, name, nats_public_key, sealing_public_key, offer)
       VALUES ('agt_01ARZ3NDEKTSV4RRFFQ69G5FAV', $1, 'a', 'U', $2, $3)`,
      [rows[0]?.['id'], Buffer.alloc(32, 9), testOffer()],
    );
    const databaseUrl = (name: string) => ({
      type: 'postgresql',
      connection_string: `postgresql://canary-user:canary-password@canary-host.example/${name}`,
    });
    const job = {
      name: 'canary-name',
      source: databaseUrl('a'),
      target: databaseUrl('b'),
      tables: [{ name: 'canary_table', columns: { canary_column: { generator: 'en_US/first_names' } } }],
    };
    const created = await send('POST', '/v1/sync/jobs', job);
    expect(created.status).toBe(201);
    const { data } = JSON.parse(responses.at(-1) ?? '') as { data: { id: string } };
    expect((await send('POST', '/v1/sync/jobs', { ...job, canary_field: 'canary' })).status).toBe(422);
    expect((await send('POST', '/v1/tokens', { name: 'canary-name', role: 'viewer' })).status).toBe(201);
    const { token } = (JSON.parse(responses.at(-1) ?? '') as { data: { token: string } }).data;
    expect((await send('POST', '/v1/agents/enrolment-tokens')).status).toBe(201);
    const enrolment = (JSON.parse(responses.at(-1) ?? '') as { data: { token: string } }).data.token;
    expect((await send('GET', '/v1/sync/jobs?status=canary-query', undefined, token)).status).toBe(422);
    await database.query('ALTER TABLE sync_jobs RENAME TO sync_jobs_away');
    const failed = await send('POST', '/v1/sync/jobs', job);
    await database.query('ALTER TABLE sync_jobs_away RENAME TO sync_jobs');
    expect(failed.status).toBe(500);
    expect(await server.stop()).toBe(0);

    const log = server.output();
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const about = (id: string) => lines.filter((line) => JSON.stringify(line).includes(id));
    expect(about(created.id)).toContainEqual(
      expect.objectContaining({ request_id: created.id, job_id: data.id }),
    );
    expect(about(failed.id)).toContainEqual(expect.objectContaining({ request_id: failed.id, level: 50 }));
    expect(log).not.toMatch(/canary/i);
    const secrets = [apiToken, token, enrolment, ...Object.values(services.natsSeeds)];
    for (const secret of [...secrets, services.redisUrl, database.url]) expect(log).not.toContain(secret);
  });

  it('reports rates, latencies, queues, the outbox and agents to Prometheus', async () => {
    const server = await startServerProcess(env);
    await fetch(`${server.url}/v1/sync/jobs`, { headers: { authorization: `Bearer ${apiToken}` } });
    const scrape = async () => (await fetch(`${server.opsUrl}/metrics`)).text();
    const text = await waitFor('the request in the metrics', async () => {
      const now = await scrape();
      return now.includes('route="/v1/sync/jobs"') && now;
    });
    for (const series of [
      /^understudy_http_requests_total\{method="GET",route="\/v1\/sync\/jobs",status="200"\} 1$/m,
      /^understudy_http_request_seconds_bucket\{le="0\.02",method="GET",route="\/v1\/sync\/jobs"\} \d+$/m,
      /^understudy_queue_depth \d+$/m,
      /^understudy_outbox_waiting \d+$/m,
      /^understudy_outbox_lag_seconds [\d.e-]+$/m,
      /^understudy_agents_live 0$/m,
      /^process_resident_memory_bytes \d+$/m,
    ])
      expect(text).toMatch(series);
    await database.query('UPDATE agents SET last_seen_at = now()');
    expect(await scrape()).toMatch(/^understudy_agents_live [1-9]\d*$/m);
    expect(await server.stop()).toBe(0);
  });

  it('serves requests, logs JSON without secrets, and stops within ten seconds of SIGTERM', async () => {
    expect((await run(['migrate'])).code).toBe(0);
    const server = await startServerProcess(env);
    const ask = (path: string) =>
      fetch(`${server.url}${path}`, { headers: { authorization: 'Bearer canary-token' } });
    expect((await ask('/v1/sync/jobs?secret=canary-query')).status).toBe(401);
    expect(await server.stop()).toBe(0);
    const log = server.output();
    expect(log).not.toContain('understudy-control-plane:');
    const lines = log.trim().split('\n');
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(lines.some((line) => line.includes('/v1/sync/jobs') && line.includes('req_'))).toBe(true);
    expect(log).not.toMatch(/canary|password/i);
    for (const seed of Object.values(services.natsSeeds)) expect(log).not.toContain(seed);
  });

  it('stops within ten seconds even if a client does not read its records', async () => {
    const server = await startServerProcess({ ...env, UNDERSTUDY_LOG_LEVEL: 'silent' });
    const response = await fetch(`${server.url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ schema: WIDE, count: 100_000 }),
    });
    expect(response.status).toBe(200);
    expect(await server.stop()).toBe(0);
    await expect(response.text()).rejects.toThrow();
  });

  it('reports that its port is in use, and exits with 1', async () => {
    expect((await run(['migrate'])).code).toBe(0);
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run([], { ...env, UNDERSTUDY_PORT: String(port) }, 'main.js');
    other.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('EADDRINUSE')]);
  });

  it('names all missing variables together and exits with 2', async () => {
    const child = spawn(process.execPath, [join(DIST, 'main.js')], { env: { PATH: env['PATH'] ?? '' } });
    let stderr = '';
    child.stderr.on('data', (data) => (stderr += String(data)));
    expect(await once(child, 'close')).toEqual([2, null]);
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'NATS_URL', 'NATS_OPERATOR_SEED', 'OPS_PASSWORD']) {
      expect(stderr).toContain(`UNDERSTUDY_${name} is not set`);
    }
  });
});
