import {
  createTestDatabase,
  sharedTestServices,
  waitFor,
  type TestDatabase,
  type SharedTestServices,
} from '@understudy/testing';
import { ulid } from 'ulid';

import { OPERATIONS } from '../../../src/api-description/operations.js';
import { bootstrap } from '../../../src/accounts/organization/bootstrap.js';
import { openDataSource } from '../../../src/platform/persistence/data-source.js';
import { migrate } from '../../../src/platform/persistence/migrate.js';
import { modelForm } from '../harness/model-files.js';
import { serverEnvironment, startServerProcess, type ServerProcess } from '../harness/server-process.js';
import { testOffer } from '../harness/test-offer.js';

// Sends secrets in every part of a request. Then searches for them in all output of the server's process: its
// log at the finest level, its metrics and its refusals.

const CANARY = 'canary7f3a';
const CONNECTION = `postgresql://user:${CANARY}-password@db.${CANARY}.internal:5432/shop`;

let services: SharedTestServices;
let database: TestDatabase;
let server: ServerProcess;
let token: string;
const secrets = new Set<string>([CANARY]);
const refusals: string[] = [];

beforeAll(async () => {
  services = await sharedTestServices();
  database = await createTestDatabase(services.postgresUrl);
  await migrate({ url: database.url });
  const dataSource = await openDataSource({ url: database.url });
  const organization = await bootstrap(dataSource, { name: 'tested', plan: 'business', now: new Date() });
  await dataSource.destroy();
  token = organization.apiToken;
  secrets.add(token);
  await database.query(
    `INSERT INTO agents (id, organization_id, name, nats_public_key, sealing_public_key, offer, snapshot_store)
     SELECT $1, id, 'a', $1, $2, $3, repeat('0', 32) FROM organizations`,
    [`agt_${ulid()}`, Buffer.alloc(32, 9), testOffer()],
  );
  server = await startServerProcess({
    ...serverEnvironment(services, database.url),
    UNDERSTUDY_LOG_LEVEL: 'trace',
    UNDERSTUDY_ANONYMOUS_REQUESTS_PER_MINUTE: '1000000',
  });
});
afterAll(async () => {
  await server?.kill();
  await services?.stop();
});

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const isForm = body instanceof FormData;
  const response = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': `${CANARY}-key-${ulid()}`,
      cookie: `session=${CANARY}`,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status >= 400) refusals.push(text);
  return {
    status: response.status,
    data: (text ? JSON.parse(text) : {}) as { data?: Record<string, string> },
  };
}

const job = (source: unknown, rest = {}) => ({
  name: 'nightly',
  source: { type: 'postgresql', connection_string: source },
  target: { type: 'postgresql', connection_string: CONNECTION },
  tables: [{ name: 'customers' }],
  ...rest,
});

it('accepts secrets in all parts of requests', async () => {
  for (const accepted of [CONNECTION, `${CONNECTION}?sslmode=${CANARY}`])
    expect((await ask('POST', '/v1/sync/jobs', job(accepted))).status).toBe(201);
  for (const wrong of [
    CONNECTION.replace('postgresql', 'mysql'),
    CONNECTION.replace('5432', CANARY),
    [CONNECTION],
    { url: CONNECTION },
  ])
    expect((await ask('POST', '/v1/sync/jobs', job(wrong))).status).toBe(422);
  expect((await ask('POST', '/v1/sync/jobs', job(CONNECTION, { password: CONNECTION }))).status).toBe(422);
  expect((await ask('POST', '/v1/sync/jobs', `{"${CANARY}": ${CANARY}`)).status).toBe(400);

  const snapshot = { name: 'nightly', database: CONNECTION };
  const { status, data: taken } = await ask('POST', '/v1/snapshots', snapshot);
  expect(status).toBe(201);
  for (const wrong of [CONNECTION.replace('postgresql', 'mysql'), `${CONNECTION}/${CANARY}`, [CONNECTION]])
    expect((await ask('POST', '/v1/snapshots', { ...snapshot, database: wrong })).status).toBe(422);
  const restore = `/v1/snapshots/${taken.data?.['id']}/restore`;
  expect((await ask('POST', restore, { target_database: CONNECTION })).status).toBe(409); // the snapshot is not ready
  expect((await ask('POST', restore, { target_database: `${CONNECTION}#${CANARY}` })).status).toBe(422);

  const invited = await ask('POST', '/v1/org/members', { email: 'a@example.com', role: 'viewer' });
  const enrolment = await ask('POST', '/v1/agents/enrolment-tokens', {});
  const made = await ask('POST', '/v1/tokens', { name: 'made', role: 'viewer' });
  const shown = [invited, enrolment, made].map(({ data }) => data.data);
  const once = shown.flatMap((data) =>
    [data?.['invitation_token'], data?.['token']].flatMap((text) => text ?? []),
  );
  expect(once).toHaveLength(3);
  for (const text of once) {
    secrets.add(text);
    await ask('GET', `/v1/tokens/${text}`); // a secret in place of an id
    await ask('GET', '/v1/org', undefined, { authorization: `Bearer ${text}` });
    await ask('POST', '/v1/org/members/accept', { token: `${text}x` });
    await ask('POST', '/v1/agents/enroll', { token: text, name: CANARY });
  }
  const hook = { url: `https://hooks.invalid/${CANARY}?token=${CANARY}`, events: ['sync.failed'] };
  const webhook = (await ask('POST', '/v1/webhooks', hook)).data.data;
  const rotated = await ask('POST', `/v1/webhooks/${webhook?.['id']}/rotate`, {});
  for (const data of [webhook, rotated.data.data]) secrets.add(data?.['secret'] ?? 'no secret');
  expect((await ask('POST', `/v1/webhooks/${webhook?.['id']}/test`)).status).toBe(201);
  for (const url of [`https://user:${CANARY}@hooks.invalid/`, `http://127.0.0.1/${CANARY}`, CANARY])
    expect((await ask('POST', '/v1/webhooks', { ...hook, url })).status).toBe(422);
  expect((await ask('GET', `/v1/models?${CANARY}=${token}`)).status).toBe(422);
  expect(
    (await ask('GET', '/v1/models', undefined, { authorization: `Basic ${btoa(`ops:${CANARY}`)}` })).status,
  ).toBe(401);
  secrets.add(btoa(`ops:${CANARY}`));
  expect((await ask('POST', '/v1/models', modelForm({ name: 'm', file: `${CANARY} file` }))).status).toBe(
    422,
  );
  const schema = {
    generators: { a: { type: 'list', values: [CANARY], where: `item == ${CANARY}(` } },
    output: ['a'],
  };
  expect((await ask('POST', '/v1/generate', { schema })).status).toBe(422);
});

it('reports an internal error without details', async () => {
  await database.query('ALTER TABLE members RENAME TO members_away');
  try {
    await ask('POST', '/v1/org/members', { email: `${CANARY}@example.com`, role: 'viewer' });
    await ask('POST', '/v1/org/members/accept', { token: `us_invite_${CANARY}` });
  } finally {
    await database.query('ALTER TABLE members_away RENAME TO members');
  }
  expect(refusals.at(-1)).toContain('internal_error');
});

it('has written no secret', async () => {
  await waitFor('the complete log', async () => server.output().includes('request failed'));
  const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
  const written = { log: server.output(), metrics };
  expect(written.log.split('\n').length).toBeGreaterThan(30);
  for (const secret of secrets)
    for (const [where, text] of Object.entries(written))
      expect([where, text.split('\n').filter((line) => line.includes(secret))]).toEqual([where, []]);
  for (const refusal of refusals)
    for (const secret of secrets) if (secret !== CANARY) expect(refusal).not.toContain(secret);
  for (const refusal of refusals) {
    expect(refusal).not.toMatch(new RegExp(`${CANARY}-(password|key)|${CANARY}\\.internal|${CANARY} file`));
    expect(refusal).not.toMatch(/SELECT|INSERT|node_modules|\bat .+:\d+:\d+/);
  }
});

it('has one series in its metrics for each route and none for unknown paths', async () => {
  for (let i = 0; i < 50; i++)
    await Promise.all([
      ask('GET', `/v1/made-up-${i}`),
      ask('GET', `/made-up/${i}`),
      ask('DELETE', `/v1/tokens/made-up-${i}`),
      ask('PROPFIND', `/v1/models/made-up-${i}`),
    ]);
  const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
  const routes = new Set([...metrics.matchAll(/route="([^"]*)"/g)].map(([, route]) => route ?? ''));
  const known = new Set<string>([...OPERATIONS.map(({ path }) => path), 'unknown', '/healthz', '/readyz']);
  expect([...routes].filter((route) => !known.has(route))).toEqual([]);
  expect(metrics).not.toContain('made-up');
});
