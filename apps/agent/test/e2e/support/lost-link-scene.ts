import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INestMicroservice } from '@nestjs/common';
import { stackDown, type StackInfo } from '@understudy/stack';
import { asSource, asTarget, createTestDatabase, waitFor, type TestDatabase } from '@understudy/testing';
import { Client } from 'pg';

import { AgentConfiguration } from '../../../src/config/agent-configuration.js';
import { AGENT_IDENTITY, type AgentIdentity } from '../../../src/identity/agent-identity.js';
import { startAgent } from '../../../src/start-agent.js';
import { Leases } from '../../../src/work/leases/leases.js';
import { AgentRelay } from './agent-relay.js';
import { startStack } from './stack.js';
import { RecordingApi, type JobView } from './sync-over-rest.js';

export const ROWS = 1_000;
export const LEASE_SECONDS = 5;

export interface RunningAgent {
  readonly id: string;
  readonly app: INestMicroservice;
  readonly leases: Leases;
}

/**
 * Defines the hooks of a suite with a real control plane, real databases and the agent's whole module. A relay cuts the
 * link between NATS and an agent. Each job stops before its switch, because a reader holds a lock on the target table.
 * @returns what the tests do with the agents and the job
 */
export function lostLinkScene() {
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
  const rowsIn = async () => Number((await target.query('SELECT count(*) AS n FROM t')).rows[0]?.['n']);
  const switched = () => waitFor('the switch', async () => (await rowsIn()) === ROWS);
  const unlock = () => reader.query('ROLLBACK');
  const left = async () => {
    const schemas = await target.query("SELECT FROM pg_namespace WHERE nspname LIKE 'understudy%'");
    const sessions = await source.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'understudy job%'",
    );
    return { schemas: schemas.rows.length, sessions: sessions.rows.length };
  };

  return {
    startOne,
    post,
    view,
    until,
    atSwitch,
    ended,
    rowsIn,
    switched,
    unlock,
    left,
    cut: ({ id }: RunningAgent) => relay.cut(id),
    restore: () => relay.restore(),
    call: (...request: Parameters<RecordingApi['call']>) => api.call(...request),
    target: () => target,
  };
}

/** Reads the port from the configuration of the stack's NATS server, because agents connect before `stackUp` resolves. */
function natsPort(folder: string): number {
  const configuration = readFileSync(join(folder, 'stack', 'nats', 'nats.conf'), 'utf8');
  return Number(/^port: (\d+)$/m.exec(configuration)?.[1]);
}
