import { FailureCode } from '@understudy/contract';
import { waitFor } from '@understudy/testing';
import { Redis } from 'ioredis';

import { WorkLeasesService } from '../../src/agent-work/work-leases.service.js';
import { SnapshotExpiry } from '../../src/snapshots/snapshot-expiry.js';
import {
  makeSnapshot,
  readyEvent,
  startFakeAgent,
  type FakeAgent,
  type FakeAgentOptions,
} from './fake-agent.js';
import { startControlPlane, type Answer, type ControlPlane } from './start-control-plane.js';

interface Snapshot {
  readonly id: string;
  readonly restore_id: string;
  readonly status: string;
  readonly tables: string[];
  readonly error: { code: string; message: string } | null;
  readonly warnings: { code: string }[];
}

let plane: ControlPlane;
const agents: FakeAgent[] = [];

beforeAll(async () => {
  plane = await startControlPlane({
    syncJobs: { reconcileMs: 100, resendMs: 3_600_000 },
    snapshots: { answerMs: 500, expireMs: 3_600_000, deletionResendMs: 3_600_000 },
    planLimits: { free: { snapshots: 2, requests_per_minute: 1_000 } },
  });
});
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.stop()));
  await plane?.stop();
});

const data = (answer: Answer) => (answer.body as unknown as { data: Snapshot }).data;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** An organisation with an agent that keeps snapshots. */
async function organization(plan: 'business' | 'free' = 'business') {
  const orgId = await plane.addOrganization(plan);
  const { token } = await plane.addToken({ orgId });
  const send = (path: string, method = 'GET', body?: unknown) =>
    plane.request(`/v1/snapshots${path}`, { method, token, ...(body === undefined ? {} : { body }) });
  const addAgent = async (options: FakeAgentOptions = {}) => {
    const agent = await startFakeAgent(plane, { orgId, ...options });
    agents.push(agent);
    await agent.beat();
    return agent;
  };
  const agent = await addAgent();
  const get = async (id: string) => data(await send(`/${id}`));
  const org = {
    ...{ orgId, token, agent, addAgent, send, get },
    post: async (changes: object = {}) => {
      const answer = await send('', 'POST', { name: 'nightly', database: 'shop', ...changes });
      expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
      return data(answer).id;
    },
    /** Made by the agent. */
    ready: async (changes: object = {}) => {
      const id = await org.post(changes);
      await agent.beat();
      const { epoch } = await created(agent);
      await makeSnapshot(agent, { snapshotId: id, epoch });
      return id;
    },
    restore: (id: string, changes: object = {}) =>
      send(`/${id}/restore`, 'POST', { target_database: 'review', ...changes }),
    used: async () => {
      const [row] = await plane.query(
        `SELECT used::int AS used FROM usage_counters WHERE organization_id = $1 AND metric = 'snapshots'`,
        [orgId],
      );
      return row?.['used'] ?? 0;
    },
  };
  return org;
}

async function created(agent: FakeAgent) {
  const command = await agent.nextCommand();
  if (command.case !== 'createSnapshot') throw new Error(`expected a snapshot, got ${command.case}`);
  return command.value;
}

async function deletion(agent: FakeAgent) {
  const command = await agent.nextCommand();
  if (command.case !== 'deleteSnapshot') throw new Error(`expected a deletion, got ${command.case}`);
  return command.value;
}

async function restoring(agent: FakeAgent) {
  const command = await agent.nextCommand();
  if (command.case !== 'restoreSnapshot') throw new Error(`expected a restore, got ${command.case}`);
  return command.value;
}

const gone = (org: { send(path: string): Promise<Answer> }, id: string) =>
  waitFor('the snapshot to be gone', async () => (await org.send(`/${id}`)).status === 404);

describe('a snapshot on its way', () => {
  it('is made by an agent that keeps snapshots, with progress, and is ready', async () => {
    const org = await organization();
    const id = await org.post({ tables: ['customers', 'sales.orders'] });
    const command = await created(org.agent);
    expect(command).toMatchObject({
      snapshotId: id,
      epoch: 1,
      database: { reference: { case: 'agentDatabase', value: 'shop' } },
      tables: ['customers', 'sales.orders'],
    });
    const report = (seq: number, event: object) =>
      org.agent.report({ case: 'snapshot', value: { snapshotId: id, epoch: 1, seq, event } as never });
    await report(1, { case: 'started', value: {} });
    expect(await org.get(id)).toMatchObject({ status: 'creating', progress: { phase: 'preflight' } });
    const counts = { tablesDone: 1, tablesTotal: 2, bytesDone: 10n, bytesTotal: 30n };
    await report(2, { case: 'progress', value: { phase: 2, counts } });
    expect(await org.get(id)).toMatchObject({
      status: 'creating',
      size_bytes: 0,
      progress: { phase: 'dumping', tables_done: 1, tables_total: 2, bytes_done: 10, bytes_total: 30 },
    });
    await org.agent.report(readyEvent(org.agent, { snapshotId: id, epoch: 1 }));
    expect(await org.get(id)).toMatchObject({
      status: 'ready',
      size_bytes: 4096,
      tables: ['customers', 'sales.orders'],
      server_version: 170_006,
      agent_id: org.agent.id,
      attempts: 1,
      progress: { phase: null, tables_done: 1 },
      error: null,
    });
  });

  it('of all tables has the names that the agent tells, as SQL writes them', async () => {
    const org = await organization();
    const id = await org.post();
    const { epoch } = await created(org.agent);
    await makeSnapshot(org.agent, { snapshotId: id, epoch }, [
      { schema: 'public', name: 'customers' },
      { schema: 'Sales', name: 'orders' },
      { schema: 'public', name: 'x'.repeat(64) },
    ]);
    expect((await org.get(id)).tables).toEqual(['customers', '"Sales".orders']);
  });

  it('waits while only agents without a store are there', async () => {
    const org = await organization();
    await plane.query(`UPDATE agents SET snapshot_store = NULL WHERE id = $1`, [org.agent.id]);
    const old = await org.addAgent({ store: null });
    const id = await org.post();
    expect((await org.get(id)).warnings).toMatchObject([{ code: 'no_live_agent' }]);
    await old.beat();
    expect(await old.pendingCommand()).toBeUndefined();
    await org.agent.beat();
    expect((await created(org.agent)).snapshotId).toBe(id);
    expect((await org.get(id)).warnings).toEqual([]);
  });

  it('fails with what stands in its way, in words about a snapshot, and frees its place', async () => {
    const org = await organization();
    const id = await org.post();
    await created(org.agent);
    expect(await org.used()).toBe(1);
    await org.agent.report({
      case: 'snapshot',
      value: {
        snapshotId: id,
        epoch: 1,
        seq: 1,
        event: { case: 'failed', value: { code: FailureCode.POLICY_DENIED, side: 1 } },
      },
    });
    const failed = await org.get(id);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'policy_denied' } });
    expect(failed.error?.message).not.toContain('target');
    expect(await org.used()).toBe(0);
    expect((await org.restore(id)).status).toBe(409);
    expect((await org.send(`/${id}`, 'DELETE')).status).toBe(200);
    expect((await org.send(`/${id}`)).status).toBe(404);
  });

  it('is taken over when its agent does not come back, and what the first one stored all the same is erased', async () => {
    const org = await organization();
    const id = await org.post();
    await created(org.agent);
    await plane.query(`UPDATE snapshots SET lease_expires_at = now() WHERE id = $1`, [id]);
    await plane.query(`UPDATE agents SET last_seen_at = now() - interval '1 minute' WHERE id = $1`, [
      org.agent.id,
    ]);
    await plane.app.get(WorkLeasesService, { strict: false }).takeBackExpired();
    const second = await org.addAgent({ store: 2n });
    expect(await created(second)).toMatchObject({ snapshotId: id, epoch: 2 });
    await org.agent.report(readyEvent(org.agent, { snapshotId: id, epoch: 1 }));
    expect((await org.get(id)).status).toBe('creating');
    await org.agent.beat();
    const late = await deletion(org.agent);
    expect(late).toMatchObject({ snapshotId: id, beforeEpoch: 2 });
    await org.agent.report({ case: 'snapshotDeleted', value: { deletionId: late.deletionId } });
    await makeSnapshot(second, { snapshotId: id, epoch: 2 });
    expect(await org.get(id)).toMatchObject({ status: 'ready', attempts: 2, agent_id: second.id });
    // The same again is no other snapshot.
    await second.report(readyEvent(second, { snapshotId: id, epoch: 2 }));
    expect(await plane.query('SELECT id FROM snapshot_deletions WHERE snapshot_id = $1', [id])).toEqual([]);
  });

  it('fails when no attempt comes to an end', async () => {
    const org = await organization();
    const id = await org.post();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect((await created(org.agent)).epoch).toBe(attempt);
      await org.agent.report({
        case: 'snapshot',
        value: {
          snapshotId: id,
          epoch: attempt,
          seq: 1,
          event: { case: 'failed', value: { code: FailureCode.AGENT_RESTARTED } },
        },
      });
      await org.agent.beat();
    }
    expect(await org.get(id)).toMatchObject({ status: 'failed', error: { code: 'agent_restarted' } });
  });
});

describe('a store of the queue that is emptied', () => {
  it('costs neither a snapshot nor a deletion', async () => {
    const org = await organization();
    await plane.query(`UPDATE agents SET last_seen_at = NULL WHERE id = $1`, [org.agent.id]);
    const id = await org.post();
    const redis = new Redis(plane.services.redisUrl);
    await redis.flushall();
    await org.agent.beat();
    const { epoch } = await created(org.agent);
    await makeSnapshot(org.agent, { snapshotId: id, epoch });
    await plane.query(`UPDATE agents SET last_seen_at = NULL WHERE id = $1`, [org.agent.id]);
    await org.send(`/${id}`, 'DELETE');
    await redis.flushall();
    redis.disconnect();
    await org.agent.beat();
    expect((await deletion(org.agent)).snapshotId).toBe(id);
  });
});

describe('deleting', () => {
  it('frees the place at once, and the snapshot is gone when an agent of its store has erased it', async () => {
    const org = await organization();
    const id = await org.ready();
    expect(await org.used()).toBe(1);
    const deleted = await org.send(`/${id}`, 'DELETE');
    expect([deleted.status, data(deleted)]).toEqual([200, { deleted: true, id }]);
    expect(await org.used()).toBe(0);
    expect((await org.get(id)).status).toBe('deleting');
    expect((await org.restore(id)).status).toBe(409);
    expect((await org.send(`/${id}`, 'DELETE')).status).toBe(200);
    expect(await org.used()).toBe(0);
    const command = await deletion(org.agent);
    expect(command).toMatchObject({ snapshotId: id, beforeEpoch: 0 });
    expect(Buffer.from(command.store).toString('hex')).toBe(org.agent.store);
    // Somebody else's word is not enough.
    const other = await org.addAgent({ store: 7n });
    await other.report({ case: 'snapshotDeleted', value: { deletionId: command.deletionId } });
    expect((await org.get(id)).status).toBe('deleting');
    await org.agent.report({ case: 'snapshotDeleted', value: { deletionId: command.deletionId } });
    await gone(org, id);
  });

  it('cancels one that is being made, and it is gone when its agent has said so', async () => {
    const org = await organization();
    const id = await org.post();
    await created(org.agent);
    expect((await org.send(`/${id}`, 'DELETE')).status).toBe(200);
    expect((await org.get(id)).status).toBe('deleting');
    const lease = { jobId: id, epoch: 1 };
    expect(await org.agent.beat([lease])).toEqual({ lost: [], cancelled: [lease] });
    await org.agent.report({
      case: 'snapshot',
      value: {
        snapshotId: id,
        epoch: 1,
        seq: 1,
        event: { case: 'failed', value: { code: FailureCode.CANCELLED } },
      },
    });
    await gone(org, id);
    expect(await org.used()).toBe(0);
  });

  it('has erased what was finished in the meantime, also when nothing is known of it any more', async () => {
    const org = await organization();
    const id = await org.post();
    await created(org.agent);
    await org.send(`/${id}`, 'DELETE');
    await org.agent.report(readyEvent(org.agent, { snapshotId: id, epoch: 1 }));
    expect((await org.get(id)).status).toBe('deleting');
    const { deletionId } = await deletion(org.agent);
    await org.agent.report({ case: 'snapshotDeleted', value: { deletionId } });
    await gone(org, id);
    await org.agent.report(readyEvent(org.agent, { snapshotId: id, epoch: 1 }));
    expect(await deletion(org.agent)).toMatchObject({ snapshotId: id, beforeEpoch: 0 });
  });

  it('forgets one at once that no agent has taken', async () => {
    const org = await organization();
    await plane.query(`UPDATE agents SET last_seen_at = NULL WHERE id = $1`, [org.agent.id]);
    const id = await org.post();
    await org.send(`/${id}`, 'DELETE');
    expect((await org.send(`/${id}`)).status).toBe(404);
    expect(await org.used()).toBe(0);
  });
});

describe('the plan', () => {
  it('gives exactly one of a hundred its last place', async () => {
    const org = await organization('free');
    await org.post();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => org.send('', 'POST', { name: 'n', database: 'shop' })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([201, 402]));
    expect(await org.used()).toBe(2);
  });
});

describe('a restore', () => {
  it('goes to an agent of the store, which was asked before, and completes', async () => {
    const org = await organization();
    const id = await org.ready();
    const answer = await org.restore(id, { overwrite: true });
    expect([answer.status, data(answer)]).toEqual([
      202,
      {
        id,
        restore_id: expect.stringMatching(/^rst_[0-9A-Z]{26}$/),
        target_database: 'review',
        status: 'pending',
      },
    ]);
    const restoreId = data(answer).restore_id;
    const path = `/v1/snapshots/${id}/restores/${restoreId}`;
    expect(answer.headers.get('location')).toBe(path);
    expect(org.agent.questions).toMatchObject([
      { restoreId, snapshotId: id, snapshotEpoch: 1, overwrite: true },
    ]);
    await org.agent.beat();
    const command = await restoring(org.agent);
    expect(command).toMatchObject({
      ...{ restoreId, epoch: 1, snapshotId: id, snapshotEpoch: 1, overwrite: true },
      target: { reference: { case: 'agentDatabase', value: 'review' } },
    });
    expect(Buffer.from(command.manifestHash).toString('hex')).toBe(
      [1, 2, 3, 4].map((word) => String(word).padStart(16, '0')).join(''),
    );
    const report = (seq: number, event: object) =>
      org.agent.report({ case: 'restore', value: { restoreId, epoch: 1, seq, event } as never });
    const counts = { tablesDone: 1, tablesTotal: 1, bytesDone: 5n, bytesTotal: 5n };
    await report(1, { case: 'started', value: {} });
    await report(2, { case: 'progress', value: { phase: 3, counts } });
    const show = async () => data(await plane.request(path, { token: org.token }));
    expect(await show()).toMatchObject({ status: 'running', progress: { phase: 'loading', bytes_done: 5 } });
    await report(3, { case: 'completed', value: { counts, durationMs: 1n } });
    expect(await show()).toMatchObject({ status: 'completed', progress: { phase: null, tables_done: 1 } });
  });

  it.each([
    ['a target that holds tables', FailureCode.TARGET_NOT_EMPTY, 409, 'conflict'],
    ['a target in use', FailureCode.TARGET_IN_USE, 409, 'conflict'],
    ['the source', FailureCode.SAME_DATABASE, 409, 'conflict'],
    ['what the policy does not admit', FailureCode.POLICY_DENIED, 422, 'validation_error'],
    ['a server that is away', FailureCode.CONNECTION_FAILED, 503, 'unavailable'],
  ])('into %s is refused, and nothing is touched', async (_, code, status, error) => {
    const org = await organization();
    const id = await org.ready();
    org.agent.answer = () => code;
    const refused = await org.restore(id);
    expect([refused.status, refused.body]).toMatchObject([status, { error: { code: error } }]);
    expect(await plane.query('SELECT id FROM snapshot_restores WHERE snapshot_id = $1', [id])).toEqual([]);
  });

  it('is refused with 503 when nobody answers, and when nobody is there who could', async () => {
    const org = await organization();
    const id = await org.ready();
    org.agent.answer = () => 'silence';
    const silent = await org.restore(id);
    expect([silent.status, silent.headers.get('retry-after')]).toEqual([503, '5']);
    await org.addAgent({ store: 3n });
    await plane.query(`UPDATE agents SET last_seen_at = NULL WHERE id = $1`, [org.agent.id]);
    expect((await org.restore(id)).status).toBe(503);
  });

  it('goes to any agent that names the same store', async () => {
    const org = await organization();
    const id = await org.ready();
    await plane.query(`UPDATE agents SET last_seen_at = NULL WHERE id = $1`, [org.agent.id]);
    const peer = await org.addAgent();
    expect((await org.restore(id)).status).toBe(202);
    expect((await restoring(peer)).snapshotId).toBe(id);
  });

  it('into the database that it is of is refused before anybody is asked', async () => {
    const org = await organization();
    const id = await org.ready();
    expect((await org.restore(id, { target_database: 'agent:shop' })).status).toBe(409);
    expect(org.agent.questions).toEqual([]);
  });

  it('keeps the snapshot from being erased until it has ended', async () => {
    const org = await organization();
    const id = await org.ready();
    const { restore_id: restoreId } = data(await org.restore(id));
    await org.agent.beat();
    await restoring(org.agent);
    await org.send(`/${id}`, 'DELETE');
    expect(await org.agent.pendingCommand()).toBeUndefined();
    const event = { case: 'completed', value: { durationMs: 1n } } as const;
    await org.agent.report({ case: 'restore', value: { restoreId, epoch: 1, seq: 1, event } });
    expect((await deletion(org.agent)).snapshotId).toBe(id);
  });

  it('that nobody has begun ends with its snapshot', async () => {
    const org = await organization();
    const id = await org.ready();
    // Full: it answers, and takes nothing.
    const full = await org.addAgent({ freeSlots: 0 });
    await plane.query(`UPDATE agents SET free_slots = 0 WHERE organization_id = $1`, [org.orgId]);
    expect(full.store).toBe(org.agent.store);
    const { restore_id: restoreId } = data(await org.restore(id));
    await org.send(`/${id}`, 'DELETE');
    const ended = data(await org.send(`/${id}/restores/${restoreId}`));
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  });
});

describe('expiry', () => {
  it('of fifty at once loses none, frees their places and has each erased once', async () => {
    const org = await organization();
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push(await org.ready({ expires_in_days: 1 }));
    const kept = await org.ready({ expires_in_days: 9 });
    // Forty-seven more, as they are stored when they are ready.
    await plane.query(
      `INSERT INTO snapshots (id, organization_id, name, database_display, database, asked_tables, tables, expires_at,
         made, status, created_at, started_at, completed_at)
       SELECT 'snap_01ARZ3NDEKTSV4RRFFQ69G' || lpad(n::text, 4, '0'), organization_id, name, database_display, database,
         asked_tables, tables, expires_at, made, status, created_at, started_at, completed_at
       FROM snapshots, generate_series(1, 47) AS n WHERE id = $1`,
      [ids[0]],
    );
    await plane.query(
      `UPDATE usage_counters SET used = 51 WHERE organization_id = $1 AND metric = 'snapshots'`,
      [org.orgId],
    );
    const expiry = plane.app.get(SnapshotExpiry, { strict: false });
    expect(await expiry.expireAll(new Date())).toEqual([]);
    const [one, two] = await Promise.all([expiry.expireAll(inDays(2)), expiry.expireAll(inDays(2))]);
    expect(new Set([...one, ...two]).size).toBe(50);
    expect(one.length + two.length).toBe(50);
    expect(await org.used()).toBe(1);
    expect(await org.get(kept)).toMatchObject({ status: 'ready' });
    for (const id of ids) {
      expect(await org.get(id)).toMatchObject({ status: 'expired' });
      expect((await org.restore(id)).status).toBe(409);
    }
    const erased = new Set<string>();
    while (erased.size < 50) {
      await org.agent.beat();
      const { deletionId, snapshotId } = await deletion(org.agent);
      expect(erased.has(snapshotId)).toBe(false);
      erased.add(snapshotId);
      await org.agent.report({ case: 'snapshotDeleted', value: { deletionId } });
    }
    expect(
      await plane.query('SELECT id FROM snapshot_deletions WHERE organization_id = $1', [org.orgId]),
    ).toEqual([]);
    // An expired one is shown until somebody deletes it.
    const [first = ''] = ids;
    await org.send(`/${first}`, 'DELETE');
    const { deletionId } = await deletion(org.agent);
    await org.agent.report({ case: 'snapshotDeleted', value: { deletionId } });
    await gone(org, first);
  });

  it('refuses a restore though no sweep has come by', async () => {
    const org = await organization();
    const id = await org.ready();
    await plane.query(`UPDATE snapshots SET expires_at = now() WHERE id = $1`, [id]);
    const refused = await org.restore(id);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('expired')]);
  });

  it('ends one that is still being made, and never makes it ready', async () => {
    const org = await organization();
    const id = await org.post({ expires_in_days: 1 });
    await created(org.agent);
    await plane.app.get(SnapshotExpiry, { strict: false }).expireAll(inDays(2));
    const lease = { jobId: id, epoch: 1 };
    expect((await org.agent.beat([lease])).cancelled).toEqual([lease]);
    await org.agent.report(readyEvent(org.agent, { snapshotId: id, epoch: 1 }));
    expect((await org.get(id)).status).toBe('expired');
    expect((await deletion(org.agent)).snapshotId).toBe(id);
  });
});
