import { randomInt } from 'node:crypto';
import { relative } from 'node:path';

import { RandomStream, rootKey } from '@understudy/random';
import {
  createTestDatabase,
  sharedTestServices,
  waitFor,
  type TestDatabase,
  type SharedTestServices,
} from '@understudy/testing';
import { Redis } from 'ioredis';

import { bootstrap } from '../../../src/accounts/organization/bootstrap.js';
import { openDataSource } from '../../../src/platform/persistence/data-source.js';
import { migrate } from '../../../src/platform/persistence/migrate.js';
import { serverEnvironment, startServerProcess, type ServerProcess } from '../harness/server-process.js';
import { expectedSignature, startReceiver, type Receiver } from './webhook-receiver.js';

jest.setTimeout(300_000); // one test delivers 80 events while servers are killed

const SEED = Number(process.env['UNDERSTUDY_FAULT_SEED'] ?? randomInt(2 ** 32));
const EVENTS = 80;
const CLIENTS = 8;
const LONGEST_WAIT_MS = 120_000;
const JOB = {
  name: 'not lost',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};

let services: SharedTestServices;
let database: TestDatabase;
let receiver: Receiver;
let server: ServerProcess;
let token: string;

beforeAll(async () => {
  services = await sharedTestServices();
  database = await createTestDatabase(services.postgresUrl);
  await migrate(database);
  const dataSource = await openDataSource(database);
  ({ apiToken: token } = await bootstrap(dataSource, { name: 'Acme', plan: 'business', now: new Date() }));
  await dataSource.destroy();
  receiver = await startReceiver();
  server = await startServer();
});
afterAll(async () => {
  await server?.kill();
  await receiver?.stop();
  await services?.stop();
});

const startServer = () =>
  startServerProcess({
    ...serverEnvironment(services, database.url),
    UNDERSTUDY_LOG_LEVEL: 'silent',
    UNDERSTUDY_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    UNDERSTUDY_WEBHOOK_TIMEOUT_SECONDS: '2',
    // Unlimited attempts in short intervals, because this test does not check the schedule.
    UNDERSTUDY_WEBHOOK_RETRY_SECONDS: ['0', ...Array.from({ length: 60 }, () => '1')].join(','),
  });

/**
 * Sends a request. Returns undefined if the server was killed during the request. The request may still have
 * had an effect.
 */
async function ask(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ id: string; secret: string } | undefined> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const options = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const text = await fetch(`${server.url}/v1${path}`, options)
    .then((answer) => answer.text())
    .catch(() => '');
  return text === '' ? undefined : (JSON.parse(text) as { data?: { id: string; secret: string } }).data;
}

it('delivers all of 80 events with valid signatures while Redis is flushed, servers are killed and receivers fail', async () => {
  const events = ['sync.started', 'sync.completed', 'sync.failed'];
  const { id: webhook = '', secret = '' } =
    (await ask('POST', '/webhooks', { url: receiver.url, events })) ?? {};
  console.log(
    `To have the receiver fail at the same answers again:\nUNDERSTUDY_FAULT_SEED=${SEED} npx jest ${relative(process.cwd(), __filename)}`,
  );
  const random = new RandomStream();
  let answers = 0;
  receiver.answerWith((_, reply) => {
    const fails = random.seek(rootKey('webhook faults', SEED), ++answers).float53() < 0.3;
    reply.writeHead(fails ? 500 : 200).end();
  });

  const redis = new Redis(services.redisUrl);
  const flushing = setInterval(() => void redis.flushall(), 250);
  let made = 0;
  const client = async (): Promise<void> => {
    while (made < EVENTS) {
      const job = await ask('POST', '/sync/jobs', JOB);
      const ended = job && (await ask('DELETE', `/sync/jobs/${job.id}`));
      const tested = await ask('POST', `/webhooks/${webhook}/test`, {});
      made += (ended ? 1 : 0) + (tested ? 1 : 0);
      if (!tested) await new Promise((resolve) => setTimeout(resolve, 20)); // wait for the next server
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  for (const share of [0.3, 0.7]) {
    await waitFor('a share of the events', async () => made >= share * EVENTS, LONGEST_WAIT_MS);
    await server.kill();
    server = await startServer();
  }
  await clients;
  clearInterval(flushing);
  redis.disconnect();

  // These jobs remain because their 201 response was lost with the server.
  const { rows: open } = await database.query(
    `SELECT id FROM sync_jobs WHERE status IN ('pending', 'running')`,
  );
  for (const { id } of open) await ask('DELETE', `/sync/jobs/${String(id)}`);
  await waitFor(
    'all deliveries',
    async () =>
      (await database.query(`SELECT FROM webhook_deliveries WHERE status <> 'delivered'`)).rows.length === 0,
    LONGEST_WAIT_MS,
  );

  const { rows: jobs } = await database.query(`SELECT id FROM sync_jobs WHERE status = 'failed'`);
  const { rows: written } = await database.query('SELECT id, body FROM webhook_events');
  expect(written.length).toBeGreaterThanOrEqual(EVENTS);
  const reported = receiver.received.flatMap(({ body }) => body.data['job_id'] ?? []);
  expect(new Set(reported)).toEqual(new Set(jobs.map(({ id }) => id)));
  const bodies = new Map(written.map(({ id, body }) => [id, body]));
  for (const { headers, raw, body } of receiver.received) {
    expect([raw.toString(), headers['webhook-id']]).toEqual([bodies.get(body.id), body.id]);
    expect(headers['x-service-signature']).toBe(expectedSignature(secret, raw));
  }
  expect(new Set(receiver.received.map(({ body }) => body.id))).toEqual(new Set(bodies.keys()));
});
