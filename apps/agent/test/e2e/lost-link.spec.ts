import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INestMicroservice } from '@nestjs/common';
import { stackDown, type StackInfo } from '@understudy/stack';
import { asSource, asTarget, createTestDatabase, waitFor, type TestDatabase } from '@understudy/testing';
import { Client } from 'pg';

import { AgentConfiguration } from '../../src/config/agent-configuration.js';
import { AGENT_IDENTITY, type AgentIdentity } from '../../src/identity/agent-identity.js';
import { startAgent } from '../../src/start-agent.js';
import { Leases } from '../../src/work/leases/leases.js';
import { AgentRelay } from './support/agent-relay.js';
import { startStack } from './support/stack.js';
import { RecordingApi, type JobView } from './support/sync-over-rest.js';

const ROWS = 1_000;
const LEASE_SECONDS = 5;

interface RunningAgent {
  readonly id: string;
  readonly app: INestMicroservice;
  readonly leases: Leases;
}

/**
 * Uses a real control plane, real databases and the agent's whole module. A relay cuts the link between NATS and an
 * agent. Each job stops before its switch, because a reader holds a lock on the target table.
 */
describe('a job whose agent loses its link', () => {
  let folder: string;
  let stack: StackInfo;
  let relay: AgentRelay;
  let api: RecordingApi;
  let source: TestDatabase;
  let target: TestDatabase;
  let reader: Client;
  const agents: RunningAgent[] = [];
  let started = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-lost-link-'));
    relay = await AgentRelay.start(() => natsPort(folder));
    stack = await startStack({
      dataDir: join(folder, 'stack'),
      settings: {
        UNDERSTUDY_LEASE_SECONDS: String(LEASE_SECONDS),
        UNDERSTUDY_GRACE_PERIOD_SECONDS: '3600',
        UNDERSTUDY_NATS_PUBLIC_URL: relay.url,
      },
    });
    // The stack's own agent has another masking key. While it is connected, work that waits for a retry fails.
    process.kill(stack.pids.agents[0] ?? NaN, 'SIGKILL');
    api = new RecordingApi(stack.base_url, stack.api_token);
    const known = (await api.call('GET', '/agents')).body.data as unknown as { agents: { id: string }[] };
    for (const { id } of known.agents) await api.call('DELETE', `/agents/${id}`);
    writeFileSync(join(folder, 'masking.key'), Buffer.alloc(32, 7).toString('hex'), { mode: 0o600 });
  });

  afterAll(async () => {
    await stackDown({ dataDir: join(folder, 'stack') });
    await relay.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    const table = 'CREATE TABLE t (id int PRIMARY KEY)';
    source = await createTestDatabase(
      stack.databases_admin_url,
      `${table}; INSERT INTO t SELECT generate_series(1, ${ROWS})`,
    );
    target = await createTestDatabase(stack.databases_admin_url, `${table}; INSERT INTO t VALUES (0)`);
    const policy = `databases:
  source: {url: "${await asSource(source)}", roles: [source]}
  target: {url: "${await asTarget(target)}", roles: [target]}`;
    writeFileSync(join(folder, 'policy.yaml'), policy);
    reader = new Client(target.url);
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM t');
  });

  afterEach(async () => {
    await reader.end();
    await relay.restore();
    for (const { app, id } of agents.splice(0)) {
      await api.call('DELETE', `/agents/${id}`);
      await app.close();
    }
    await source.drop();
    await target.drop();
  });

  const startOne = async (): Promise<RunningAgent> => {
    const stateDir = join(folder, `agent-${started++}`);
    mkdirSync(stateDir, { mode: 0o700 });
    const token = (await api.call('POST', '/agents/enrolment-tokens', {})).body.data as unknown as {
      token: string;
    };
    const app = await startAgent(
      new AgentConfiguration({
        stateDir,
        policyFile: join(folder, 'policy.yaml'),
        controlUrl: stack.base_url,
        enrolmentToken: token.token,
        maskingKeyFile: join(folder, 'masking.key'),
        logLevel: 'silent',
        maskingThreads: 0,
        // Without a grace period, the agent would stop its job at the first heartbeat without a reply.
        lostAfterMs: 1_000,
      }),
      (error) => {
        throw error;
      },
    );
    const { agentId: id } = app.get<AgentIdentity>(AGENT_IDENTITY, { strict: false });
    const agent = { id, app, leases: app.get(Leases, { strict: false }) };
    agents.push(agent);
    await waitFor('the agent to be live', async () => {
      const { body } = await api.call('GET', `/agents/${id}`);
      return body.data?.status === 'live';
    });
    return agent;
  };
  const post = async () => {
    const database = (name: string) => ({ type: 'postgresql', connection_string: `agent:${name}` });
    const { status, body } = await api.call('POST', '/sync/jobs', {
      name: 'not to be lost',
      source: database('source'),
      target: database('target'),
      tables: [{ name: 't' }],
    });
    expect([status, body.error]).toEqual([201, undefined]);
    return body.data?.id ?? '';
  };
  const view = async (id: string) => (await api.call('GET', `/sync/jobs/${id}`)).body.data as JobView;
  const until = (what: string, id: string, is: (job: JobView) => boolean) =>
    waitFor(what, async () => {
      const job = await view(id);
      return is(job) && job;
    });
  const atSwitch = (id: string, agent: RunningAgent) =>
    until('the switch to begin', id, (job) => {
      const { phase } = job['progress'] as { phase: string | null };
      return phase === 'switching' && job['agent_id'] === agent.id;
    });
  const ended = (id: string) =>
    until('the end', id, ({ status }) => status === 'completed' || status === 'failed');
  const rowsIn = async (database: TestDatabase) =>
    Number((await database.query('SELECT count(*) AS n FROM t')).rows[0]?.['n']);
  const switched = () => waitFor('the switch', async () => (await rowsIn(target)) === ROWS);
  const unlock = () => reader.query('ROLLBACK');
  const left = async () => {
    const schemas = await target.query("SELECT FROM pg_namespace WHERE nspname LIKE 'understudy%'");
    const sessions = await source.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'understudy job%'",
    );
    return { schemas: schemas.rows.length, sessions: sessions.rows.length };
  };

  it('keeps its attempt and its rows through two cuts, and switches while the link is cut', async () => {
    const agent = await startOne();
    const id = await post();
    await atSwitch(id, agent);
    const newcomer = await startOne();
    relay.cut(agent.id);
    await waitFor('a silence that is longer than a lease', async () =>
      agent.leases.running().some(({ silentForMs }) => silentForMs > (LEASE_SECONDS + 1) * 1_000),
    );
    await relay.restore();
    await waitFor('a reply', async () =>
      agent.leases.running().some(({ silentForMs }) => silentForMs < 2_000),
    );
    relay.cut(agent.id);
    await unlock();
    await switched();
    expect(await view(id)).toMatchObject({ status: 'running', agent_id: agent.id });
    await relay.restore();
    expect(await ended(id)).toMatchObject({
      status: 'completed',
      attempts: 1,
      agent_id: agent.id,
      rows_processed: ROWS,
    });
    expect((await view(id)).warnings.map(({ code }) => code)).toEqual(['waited_for_lock']);
    expect(newcomer.leases.running()).toEqual([]);
  });

  it('shows a cancel request during the cut, and is cancelled when the link is back', async () => {
    const agent = await startOne();
    const id = await post();
    await atSwitch(id, agent);
    relay.cut(agent.id);
    await api.call('DELETE', `/sync/jobs/${id}`);
    expect(await view(id)).toMatchObject({ status: 'running', cancel_requested_at: expect.any(String) });
    await relay.restore();
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    await waitFor('the cleanup', async () => (await left()).schemas === 0);
    expect(await rowsIn(target)).toBe(1);
  });

  it('goes to another agent after a release, and the old agent can no longer commit', async () => {
    const old = await startOne();
    const id = await post();
    await atSwitch(id, old);
    const other = await startOne();
    relay.cut(old.id);
    expect((await api.call('POST', `/sync/jobs/${id}/release`, {})).status).toBe(200);
    await atSwitch(id, other);
    await waitFor('the end of the old attempt', async () => old.leases.running().length === 0);
    expect(await rowsIn(target)).toBe(1);
    await unlock();
    expect(await ended(id)).toMatchObject({ status: 'completed', attempts: 1, agent_id: other.id });
    expect(await rowsIn(target)).toBe(ROWS);
  });

  it('is not done twice if it is released after its old agent has switched the target', async () => {
    const old = await startOne();
    const id = await post();
    await atSwitch(id, old);
    const other = await startOne();
    relay.cut(old.id);
    await unlock();
    await switched();
    const fileOf = async () => (await target.query("SELECT pg_relation_filenode('t') AS file")).rows;
    const before = await fileOf();
    await api.call('POST', `/sync/jobs/${id}/release`, {});
    expect(await ended(id)).toMatchObject({
      status: 'completed',
      agent_id: other.id,
      rows_processed: ROWS,
    });
    expect(await fileOf()).toEqual(before);
  });

  it('is stopped and cleaned up by its agent if the agent is revoked during the cut', async () => {
    const agent = await startOne();
    const id = await post();
    await atSwitch(id, agent);
    relay.cut(agent.id);
    await api.call('DELETE', `/agents/${agent.id}`);
    expect(await left()).toEqual({ schemas: 1, sessions: expect.any(Number) });
    await relay.restore();
    await waitFor('the cleanup', async () => {
      const { schemas, sessions } = await left();
      return schemas === 0 && sessions === 0;
    });
    expect(await until('the release', id, (job) => job['link'] === null)).toMatchObject({
      status: 'running',
      error: null,
      attempts: 0,
    });
    expect(await rowsIn(target)).toBe(1);
  });

  it('goes to another agent if that agent could run it from the start', async () => {
    const [one, two] = [await startOne(), await startOne()];
    const id = await post();
    const holder = await waitFor('the job to run', async () =>
      [one, two].find(({ leases }) => leases.running().length > 0),
    );
    await atSwitch(id, holder);
    relay.cut(holder.id);
    const other = holder === one ? two : one;
    await atSwitch(id, other);
    await unlock();
    const job = await ended(id);
    expect(job).toMatchObject({ status: 'completed', attempts: 1, agent_id: other.id });
    expect(job.warnings.map(({ code }) => code)).not.toContain('restarted_from_zero');
  });
});

/** Reads the port from the configuration of the stack's NATS server, because agents connect before `stackUp` resolves. */
function natsPort(folder: string): number {
  const configuration = readFileSync(join(folder, 'stack', 'nats', 'nats.conf'), 'utf8');
  return Number(/^port: (\d+)$/m.exec(configuration)?.[1]);
}
