import { FailureCode } from '@understudy/agent-protocol/schema';
import { Redis } from 'ioredis';

import { WorkLeasesService } from '../../../src/agents/agent-work/leases/work-leases.service.js';
import { makeSnapshot, readyEvent } from '../harness/fake-agent.js';
import { created, deletion, type SnapshotsHarness, startSnapshots } from './snapshots-harness.js';

let snapshots: SnapshotsHarness;
beforeAll(async () => {
  snapshots = await startSnapshots();
});
afterAll(() => snapshots?.stop());

describe('the creation of a snapshot', () => {
  it('runs on an agent with a store, reports progress, and ends as ready', async () => {
    const org = await snapshots.organization();
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

  it('returns the table names that the agent reports as SQL writes them', async () => {
    const org = await snapshots.organization();
    const id = await org.post();
    const { epoch } = await created(org.agent);
    await makeSnapshot(org.agent, { snapshotId: id, epoch }, [
      { schema: 'public', name: 'customers' },
      { schema: 'Sales', name: 'orders' },
      { schema: 'public', name: 'x'.repeat(64) },
    ]);
    expect((await org.get(id)).tables).toEqual(['customers', '"Sales".orders']);
  });

  it('waits while only agents without a store are live', async () => {
    const org = await snapshots.organization();
    await snapshots.plane.query(`UPDATE agents SET snapshot_store = NULL WHERE id = $1`, [org.agent.id]);
    const old = await org.addAgent({ store: null });
    const id = await org.post();
    expect((await org.get(id)).warnings).toMatchObject([{ code: 'no_live_agent' }]);
    await old.beat();
    expect(await old.pendingCommand()).toBeUndefined();
    await org.agent.beat();
    expect((await created(org.agent)).snapshotId).toBe(id);
    expect((await org.get(id)).warnings).toEqual([]);
  });

  it('fails with a reason that describes the snapshot, frees its quota, and sends a webhook', async () => {
    const org = await snapshots.organization();
    await org.subscribe();
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
    const data = { snapshot_id: id, name: 'nightly', database: 'shop', error: failed.error };
    expect(await org.events(id)).toEqual([['snapshot.failed', data]]);
    expect(await org.used()).toBe(0);
    expect((await org.restore(id)).status).toBe(409);
    expect((await org.send(`/${id}`, 'DELETE')).status).toBe(200);
    expect((await org.send(`/${id}`)).status).toBe(404);
  });

  it('is repeated by another agent if the first does not return, and the late result of the first is erased', async () => {
    const org = await snapshots.organization();
    const id = await org.post();
    await created(org.agent);
    await snapshots.plane.query(`UPDATE snapshots SET lease_expires_at = now() WHERE id = $1`, [id]);
    await snapshots.plane.query(
      `UPDATE agents SET last_seen_at = now() - interval '1 minute' WHERE id = $1`,
      [org.agent.id],
    );
    await snapshots.plane.app.get(WorkLeasesService, { strict: false }).reclaimExpired();
    const second = await org.addAgent({ store: 2n });
    expect(await created(second)).toMatchObject({ snapshotId: id, epoch: 2 });
    await org.agent.report(readyEvent(org.agent, { snapshotId: id, epoch: 1 }));
    expect((await org.get(id)).status).toBe('creating');
    await org.agent.beat();
    const late = await deletion(org.agent);
    expect(late).toMatchObject({ snapshotId: id, beforeEpoch: 2 });
    await org.agent.report({ case: 'snapshotDeleted', value: { deletionId: late.deletionId } });
    await makeSnapshot(second, { snapshotId: id, epoch: 2 });
    expect(await org.get(id)).toMatchObject({ status: 'ready', attempts: 1, agent_id: second.id });
    // A repeated event does not change the snapshot.
    await second.report(readyEvent(second, { snapshotId: id, epoch: 2 }));
    expect(
      await snapshots.plane.query('SELECT id FROM snapshot_deletions WHERE snapshot_id = $1', [id]),
    ).toEqual([]);
  });

  it('fails if no attempt succeeds', async () => {
    const org = await snapshots.organization();
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

describe('a queue that loses its data', () => {
  it('loses neither a snapshot nor a deletion', async () => {
    const org = await snapshots.organization();
    await snapshots.plane.query(`UPDATE agents SET last_seen_at = NULL WHERE id = $1`, [org.agent.id]);
    const id = await org.post();
    const redis = new Redis(snapshots.plane.services.redisUrl);
    await redis.flushall();
    await org.agent.beat();
    const { epoch } = await created(org.agent);
    await makeSnapshot(org.agent, { snapshotId: id, epoch });
    await snapshots.plane.query(`UPDATE agents SET last_seen_at = NULL WHERE id = $1`, [org.agent.id]);
    await org.send(`/${id}`, 'DELETE');
    await redis.flushall();
    redis.disconnect();
    await org.agent.beat();
    expect((await deletion(org.agent)).snapshotId).toBe(id);
  });
});

describe('the quota of snapshots', () => {
  it('admits exactly one of a hundred parallel requests if one snapshot remains', async () => {
    const org = await snapshots.organization('free');
    await org.post();
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => org.send('', 'POST', { name: 'n', database: 'shop' })),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([201, 402]));
    expect(await org.used()).toBe(2);
  });
});
