import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import {
  createTestDatabase,
  sharedTestServices,
  waitFor,
  type TestDatabase,
  type SharedTestServices,
} from '@understudy/testing';

import { MIGRATIONS } from '../../../src/platform/persistence/data-source.js';
import {
  DEVELOPMENT_VERSION_REFUSED,
  MADE_BY_A_DEVELOPMENT_VERSION,
} from '../harness/development-database.sql.js';
import { WIDE } from '../harness/generation-schemas.js';
import { serverEnvironment, startServerProcess } from '../harness/server-process.js';
import { testOffer } from '../harness/test-offer.js';

const DIST = join(import.meta.dirname, '../../../dist/bundle');

let services: SharedTestServices;
let database: TestDatabase;
let env: Record<string, string>;
let apiToken: string;

beforeAll(async () => {
  if (!existsSync(join(DIST, 'main.js'))) throw new Error('build first: npm run build');
  services = await sharedTestServices();
  database = await createTestDatabase(services.postgresUrl);
  env = {
    ...serverEnvironment(services, database.url),
    UNDERSTUDY_OPS_PASSWORD: 'canary-ops-password',
    UNDERSTUDY_PORT: '0',
    UNDERSTUDY_OPS_PORT: '0',
  };
});
afterAll(async () => {
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
});

describe('the server', () => {
  it('refuses a database of a development version', async () => {
    const old = await createTestDatabase(services.postgresUrl);
    try {
      await old.query(MADE_BY_A_DEVELOPMENT_VERSION);
      const { code, stderr } = await run(['start'], { ...env, UNDERSTUDY_DATABASE_URL: old.url });
      expect([code, stderr]).toEqual([1, DEVELOPMENT_VERSION_REFUSED]);
    } finally {
      await old.drop();
    }
  });

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

  it('reports to Prometheus, logs JSON without secrets, and stops within ten seconds of SIGTERM', async () => {
    const server = await startServerProcess(env);
    const ask = (path: string, token: string) =>
      fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    await ask('/v1/sync/jobs', apiToken);
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
    expect((await ask('/v1/sync/jobs?secret=canary-query', 'canary-token')).status).toBe(401);
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
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run([], { ...env, UNDERSTUDY_PORT: String(port) }, 'main.js');
    other.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('EADDRINUSE')]);
  });

  it('names all missing variables together and exits with 2', async () => {
    const { code, stderr } = await run([], { PATH: env['PATH'] ?? '' }, 'main.js');
    expect(code).toBe(2);
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'NATS_URL', 'NATS_OPERATOR_SEED', 'OPS_PASSWORD']) {
      expect(stderr).toContain(`UNDERSTUDY_${name} is not set`);
    }
  });
});
