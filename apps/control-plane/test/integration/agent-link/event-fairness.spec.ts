import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { EventAcknowledgementSchema, EventSchema, HeartbeatSchema } from '@understudy/agent-protocol/schema';
import { addressedTo } from '@understudy/agent-protocol/transport';
import { waitFor } from '@understudy/testing';
import { Client } from 'pg';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { DEFAULTS } from '../../../src/platform/config/configuration.js';
import { DatabaseHealth } from '../../../src/platform/persistence/database-health.js';
import { connectAs, startFakeAgent, type FakeAgent } from '../harness/fake-agent.js';
import { OPS_PASSWORD, startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};
/** The largest value of an integer column in PostgreSQL, plus one. */
const TOO_LARGE = 2 ** 31;

type EventBody = MessageInitShape<typeof EventSchema>['event'];

let plane: ControlPlane;

beforeAll(async () => {
  plane = await startControlPlane({ agentLink: { databaseProbeMs: 20, messagesPerSecond: 1e-6 } });
});
afterAll(() => plane?.stop());

it('completes a job of one organisation while an agent of another floods poison events', async () => {
  const flooding = await startFakeAgent(plane);
  const { jobId } = await startJob(flooding, plane.token);
  const poison = (index: number) => encode(BigInt(index + 1), progressOf(jobId, TOO_LARGE + index));
  const flood = await startFlood(flooding.id, [
    Buffer.from('no event'),
    ...Array.from({ length: 64 }, (_, index) => poison(index)),
    encode(65n, progressOf(jobId, 1)),
  ]);
  try {
    const { token, agent } = await startOrganization();
    const { jobId: otherJob, epoch } = await startJob(agent, token);
    await flood.rounds(20);
    await agent.report(syncJob(otherJob, epoch, 1, { case: 'started', value: {} }));
    await agent.report(syncJob(otherJob, epoch, 2, { case: 'completed', value: { durationMs: 5n } }));
    const { body } = await plane.request(`/v1/sync/jobs/${otherJob}`, { token });
    expect(body).toMatchObject({ data: { status: 'completed' } });
    await flood.rounds(1);
    await agent.stop();
  } finally {
    await flood.stop();
    await flooding.stop();
  }
  await emptyStream();
  const letters = await lettersOf(flooding.id);
  expect(new Set(letters.map(({ code }) => code))).toEqual(new Set(['malformed', 'not_an_event']));
  expect(letters.length).toBeLessThanOrEqual(100);
});

it('terminates and records an event that PostgreSQL refuses and continues with the next event', async () => {
  const { token, agent } = await startOrganization();
  const { jobId, epoch } = await startJob(agent, token);
  await plane.query('ALTER TABLE sync_jobs ADD CONSTRAINT planted CHECK (last_seq <> 77)');
  try {
    await agent.report(syncJob(jobId, epoch, 77, { case: 'started', value: {} })); // acknowledged nevertheless
  } finally {
    await plane.query('ALTER TABLE sync_jobs DROP CONSTRAINT planted');
  }
  expect(await lettersOf(agent.id)).toEqual([
    {
      code: 'refused_by_database',
      sqlstate: '23514',
      pattern: 'sync_job',
      work_id: jobId,
      journal_seq: '1',
    },
  ]);
  await agent.report(syncJob(jobId, epoch, 78, { case: 'started', value: {} }));
  const { body } = await plane.request(`/v1/sync/jobs/${jobId}`, { token });
  expect(body).toMatchObject({ data: { status: 'running' } });
  const page = await fetch(`${plane.opsUrl}/ops/dead-letters`, {
    headers: { authorization: `Basic ${btoa(`ops:${OPS_PASSWORD}`)}` },
  });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain(`<td>${agent.id}</td><td>refused_by_database</td><td>23514</td>`);
  expect((await fetch(`${plane.opsUrl}/ops/dead-letters`)).status).toBe(401);
  await agent.stop();
});

it('retries an event after a serialization conflict has rolled it back', async () => {
  const { token, agent } = await startOrganization();
  const { jobId, epoch } = await startJob(agent, token);
  await plane.query('CREATE SEQUENCE planted');
  await plane.query(`CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('planted') < 4 THEN RAISE deadlock_detected; END IF; RETURN NEW; END $$`);
  await plane.query(
    'CREATE TRIGGER planted BEFORE UPDATE ON sync_jobs FOR EACH ROW EXECUTE FUNCTION planted()',
  );
  try {
    await agent.report(syncJob(jobId, epoch, 1, { case: 'started', value: {} }));
  } finally {
    await plane.query('DROP TRIGGER planted ON sync_jobs');
    await plane.query('DROP FUNCTION planted');
    await plane.query('DROP SEQUENCE planted');
  }
  const { body } = await plane.request(`/v1/sync/jobs/${jobId}`, { token });
  expect(body).toMatchObject({ data: { status: 'running' } });
  expect(await lettersOf(agent.id)).toEqual([]);
  await agent.stop();
});

it('holds eight events of an agent, returns the rest, and still handles events of another agent', async () => {
  const { token, agent } = await startOrganization();
  const { token: otherToken, agent: other } = await startOrganization();
  const { jobId } = await startJob(agent, token);
  const { jobId: otherJob, epoch } = await startJob(other, otherToken);
  const [row] = await plane.query('SELECT current_database() AS name');
  const lock = new Client({
    connectionString: `${plane.services.postgresUrl}/${String(row?.['name'])}`,
    application_name: 'test',
  });
  await lock.connect();
  await lock.query('BEGIN');
  await lock.query('SELECT 1 FROM sync_jobs WHERE id = $1 FOR UPDATE', [jobId]);
  const connection = await connectAs(plane, agent.id);
  const headers = addressedTo(agent.id);
  for (let seq = 1; seq <= 20; seq += 1)
    connection.publish(`us.evt.${agent.id}`, encode(BigInt(seq), progressOf(jobId, seq)), { headers });
  await connection.flush();
  await waitFor('twelve redeliveries', async () => (await consumer()).num_redelivered >= 12);
  await other.report(syncJob(otherJob, epoch, 1, { case: 'started', value: {} }));
  await lock.query('COMMIT');
  await lock.end();
  await emptyStream();
  const [job] = await plane.query('SELECT last_seq FROM sync_jobs WHERE id = $1', [jobId]);
  expect([job, await lettersOf(agent.id)]).toEqual([{ last_seq: 20 }, []]);
  await Promise.all([agent.stop(), other.stop(), connection.close()]);
});

it('leaves an event of an unknown newer kind with its agent and handles the agent’s other events', async () => {
  const { token, agent } = await startOrganization();
  const { jobId, epoch } = await startJob(agent, token);
  const later = { no: 900, wireType: 2, data: new Uint8Array([0]) };
  const event = create(EventSchema, { journalSeq: 500n, occurredAt: timestampFromDate(new Date()) });
  event.$unknown = [later];
  const flood = await startFlood(agent.id, [toBinary(EventSchema, event)]);
  const acknowledged = await acknowledgementsOf(flood.connection, agent.id);
  await flood.rounds(100);
  await agent.report(syncJob(jobId, epoch, 1, { case: 'started', value: {} }));
  await flood.stop();
  await emptyStream();
  expect(await lettersOf(agent.id)).toMatchObject([{ code: 'unknown_event', journal_seq: '500' }]);
  expect(acknowledged).toEqual([1n]);
  await agent.stop();
});

it('applies every event after PostgreSQL was unavailable for many redeliveries', async () => {
  const { token, agent } = await startOrganization();
  const jobs = [await startJob(agent, token), await startJob(agent, token)];
  const asked = jest.spyOn(plane.app.get(DatabaseHealth, { strict: false }), 'responds');
  const database = await refuseConnections();
  let reports: Promise<unknown>;
  let delivered: number;
  try {
    reports = Promise.all(
      jobs.map(({ jobId, epoch }) => agent.report(syncJob(jobId, epoch, 1, { case: 'started', value: {} }))),
    );
    await waitFor('the pause', async () => asked.mock.calls.length > 2);
    delivered = (await consumer()).delivered.consumer_seq;
    await waitFor('the time of 20 redeliveries', async () => asked.mock.calls.length > 22);
    // No event is pulled during the pause.
    expect((await consumer()).delivered.consumer_seq).toBe(delivered);
  } finally {
    await database.accept();
    asked.mockRestore();
  }
  await reports;
  await emptyStream();
  for (const { jobId } of jobs) {
    const { body } = await plane.request(`/v1/sync/jobs/${jobId}`, { token });
    expect(body).toMatchObject({ data: { status: 'running' } });
  }
  expect(await lettersOf(agent.id)).toEqual([]);
  await agent.stop();
});

it('limits the rate of heartbeats per agent without affecting other agents', async () => {
  const agent = await startFakeAgent(plane);
  const other = await startFakeAgent(plane);
  const connection = await connectAs(plane, agent.id);
  const seen = async () => (await plane.query('SELECT xmin FROM agents WHERE id = $1', [agent.id]))[0];
  let responses = 0;
  connection.subscribe(`_INBOX_${agent.id}.flood`, { callback: () => void (responses += 1) });
  const beat = toBinary(HeartbeatSchema, create(HeartbeatSchema, { freeSlots: 1 }));
  const options = { headers: addressedTo(agent.id), reply: `_INBOX_${agent.id}.flood` };
  for (let sent = 0; sent < 2_000; sent += 1) connection.publish(`us.beat.${agent.id}`, beat, options);
  await connection.flush();
  await waitFor('the responses to the burst', async () => responses >= DEFAULTS.agentLink.messageBurst);
  const before = await seen();
  connection.publish(`us.beat.${agent.id}`, beat, options);
  await connection.flush();
  await other.beat(); // sent after the burst, and answered
  expect([await seen(), responses]).toEqual([before, DEFAULTS.agentLink.messageBurst]);
  await Promise.all([agent.stop(), other.stop(), connection.close()]);
});

/** Starts a simulated agent that is the only one of its organisation. */
async function startOrganization(): Promise<{ token: string; agent: FakeAgent }> {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  return { token, agent: await startFakeAgent(plane, { orgId }) };
}

function lettersOf(agentId: string) {
  return plane.query(
    'SELECT code, sqlstate, pattern, work_id, journal_seq FROM dead_letters WHERE agent_id = $1',
    [agentId],
  );
}

async function manager() {
  return jetstreamManager(await plane.app.get(AgentLinkService).connectionWhenStarted());
}

async function consumer() {
  return (await manager()).consumers.info('EVENTS', 'control_plane');
}

async function emptyStream(): Promise<void> {
  await waitFor('an empty stream', async () => {
    const { state } = await (await manager()).streams.info('EVENTS');
    return state.messages === 0;
  });
}

/** Makes all connections to the control plane's database fail, existing and new ones, until `accept` is called. */
async function refuseConnections() {
  const [row] = await plane.query('SELECT current_database() AS name');
  const name = String(row?.['name']);
  const client = new Client({ connectionString: `${plane.services.postgresUrl}/postgres` });
  await client.connect();
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'understudy-control-plane'",
    [name],
  );
  return {
    accept: async () => {
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await client.end();
    },
  };
}

/** Collects the journal numbers that the control plane acknowledges to the agent from now on, each once. */
async function acknowledgementsOf(connection: NatsConnection, agentId: string): Promise<readonly bigint[]> {
  const acknowledged: bigint[] = [];
  connection.subscribe(`us.ack.${agentId}`, {
    callback: (_, { data }) => {
      for (const seq of fromBinary(EventAcknowledgementSchema, data).journalSeqs)
        if (!acknowledged.includes(seq)) acknowledged.push(seq);
    },
  });
  await connection.flush();
  return acknowledged;
}

/** Creates a job and lets the agent receive its command. */
async function startJob(agent: FakeAgent, token: string): Promise<{ jobId: string; epoch: number }> {
  const posted = await plane.request('/v1/sync/jobs', { method: 'POST', body: JOB, token });
  const { id } = (posted.body as unknown as { data: { id: string } }).data;
  await agent.beat();
  const command = await agent.nextCommand();
  if (command.case !== 'runSyncJob' || command.value.jobId !== id) throw new Error('another command');
  return { jobId: id, epoch: command.value.epoch };
}

function syncJob(
  jobId: string,
  epoch: number,
  seq: number,
  event: NonNullable<Extract<EventBody, { case: 'syncJob' }>['value']>['event'],
): EventBody {
  return { case: 'syncJob', value: { jobId, epoch, seq, event } };
}

function progressOf(jobId: string, seq: number): EventBody {
  return syncJob(jobId, 1, seq, { case: 'progress', value: {} });
}

function encode(journalSeq: bigint, event: EventBody): Uint8Array {
  const occurredAt = timestampFromDate(new Date());
  return toBinary(EventSchema, create(EventSchema, { journalSeq, occurredAt, event }));
}

/** Publishes all `messages` in the name of an agent, again and again until `stop` is called. */
async function startFlood(agentId: string, messages: readonly Uint8Array[]) {
  const connection = await connectAs(plane, agentId);
  const headers = addressedTo(agentId);
  let isStopped = false;
  let published = 0;
  const running = (async () => {
    while (!isStopped) {
      for (const message of messages) connection.publish(`us.evt.${agentId}`, message, { headers });
      await connection.flush();
      published += 1;
    }
  })();
  return {
    connection,
    /** Resolves after `messages` were published this number of times more. */
    rounds: async (more: number) => {
      const until = published + more;
      await waitFor('more rounds of the flood', async () => published >= until);
    },
    stop: async () => {
      isStopped = true;
      await running;
      await connection.close();
    },
  };
}
