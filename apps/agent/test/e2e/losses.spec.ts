import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { StackInfo } from '@understudy/stack';
import { asSource, asTarget, createTestDatabase, waitFor } from '@understudy/testing';
import { Client } from 'pg';

import { removeStack, startStack } from './support/stack.js';
import { RecordingApi, type JobView } from './support/sync-over-rest.js';

/** An accepted job runs to its end exactly once, even if NATS loses its state or the control plane is killed. */
describe('an accepted job', () => {
  let dataDir: string;
  let stack: StackInfo;
  let api: RecordingApi;
  /** The connection URL of the jobs. */
  let source: string;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-losses-'));
    await up(600);
    api = new RecordingApi(stack.base_url, stack.api_token);
    const database = await createTestDatabase(
      stack.databases_admin_url,
      'CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 1000)',
    );
    source = await asSource(database);
  });

  afterAll(() => removeStack(dataDir));

  const up = async (leaseSeconds: number) =>
    (stack = await startStack({
      dataDir,
      settings: {
        UNDERSTUDY_LEASE_SECONDS: `${leaseSeconds}`,
        UNDERSTUDY_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
      },
    }));
  const kill = (pid: number | null | undefined, signal: NodeJS.Signals) => process.kill(pid ?? NaN, signal);
  const view = async (id: string) => (await api.call('GET', `/sync/jobs/${id}`)).body.data as JobView;
  const post = async () => {
    const target = await asTarget(await createTestDatabase(stack.databases_admin_url));
    const { status, body } = await api.call('POST', '/sync/jobs', {
      name: 'not to be lost',
      source: { type: 'postgresql', connection_string: source },
      target: { type: 'postgresql', connection_string: target },
      tables: [{ name: 't' }],
    });
    expect(status).toBe(201);
    return body.data?.id ?? '';
  };
  const done = async (ids: readonly string[]) => {
    for (const id of ids) {
      const job = await waitFor(`${id} to end`, async () => {
        const now = await view(id);
        return (now.status === 'completed' || now.status === 'failed') && now;
      });
      expect([job.status, job.error, job.rows_processed]).toEqual(['completed', null, 1000]);
    }
  };

  it('survives the loss of the NATS store with its command, in the same attempt', async () => {
    for (const pid of stack.pids.agents) kill(pid, 'SIGSTOP');
    const ids = [await post(), await post()];
    const given = await waitFor('the command to be sent', async () => {
      const jobs = await Promise.all(ids.map(view));
      return jobs.find((job) => job['attempts'] === 1);
    });
    kill(stack.pids.nats, 'SIGKILL');
    const folder = join(dataDir, 'nats');
    for (const name of readdirSync(folder))
      if (name !== 'nats.conf') rmSync(join(folder, name), { recursive: true });
    for (const pid of stack.pids.agents) kill(pid, 'SIGCONT');
    await up(600);
    await done(ids);
    expect((await view(given.id))['attempts']).toBe(1);
  });

  it('survives a control plane that is killed while it leases one job and accepts others', async () => {
    // If a killed control plane has leased a job and not sent the command, the job is dispatched again when the lease
    // expires. Only the control plane starts again.
    await up(5);
    const first = await post();
    const posted = Promise.allSettled(Array.from({ length: 8 }, () => post()));
    await waitFor('its lease', async () => Number((await view(first))['attempts']) > 0);
    kill(stack.pids.control_plane, 'SIGKILL');
    const accepted = (await posted).flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    await up(5);
    await done([first, ...accepted]);
  });

  it('ends with its agent, which webhooks report as away once, as back, and not as away after an outage', async () => {
    const database = new Client({ connectionString: stack.control_db_url });
    await database.connect();
    const all = async (sql: string) => (await database.query<{ type: string; done: boolean }>(sql)).rows;
    const events = async () =>
      (await all('SELECT type FROM webhook_events ORDER BY created_at, id')).map(({ type }) => type);
    /** Lets an hour pass. */
    const pass = () =>
      all(`WITH watch AS (UPDATE agent_watch SET since = since - interval '1 hour')
           UPDATE agents SET last_seen_at = last_seen_at - interval '1 hour' WHERE away_since IS NULL`);
    const hook = { url: 'http://127.0.0.1:65535/', events: ['agent.away', 'agent.back'] };
    expect((await api.call('POST', '/webhooks', hook)).status).toBe(201);

    for (const pid of stack.pids.agents) kill(pid, 'SIGKILL');
    await waitFor('the agent to be away', async () => {
      await pass(); // again, because a heartbeat of the killed agent may have been on its way
      return (await events()).length > 0;
    });
    await up(5);
    await waitFor('the agent to be back', async () => (await events()).length > 1);

    kill(stack.pids.control_plane, 'SIGKILL');
    await pass();
    await all("UPDATE agent_watch SET until = until - interval '1 hour'");
    await up(5);
    await waitFor('heartbeats', async () => {
      const [row] = await all(
        "SELECT until - since > interval '5 s' AND last_seen_at > since AS done FROM agents, agent_watch",
      );
      return row?.done === true;
    });
    expect(await events()).toEqual(['agent.away', 'agent.back']);
    await database.end();
  });
});
