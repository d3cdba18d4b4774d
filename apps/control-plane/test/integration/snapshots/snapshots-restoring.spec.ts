import { FailureCode } from '@understudy/agent-protocol/schema';

import { dataOf, deletion, restoring, type SnapshotsHarness, startSnapshots } from './snapshots-harness.js';

let snapshots: SnapshotsHarness;
beforeAll(async () => {
  snapshots = await startSnapshots();
});
afterAll(() => snapshots?.stop());

describe('a restore', () => {
  it('is checked by an agent of the store in advance, runs on it, and completes', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    const response = await org.restore(id, { overwrite: true });
    expect([response.status, dataOf(response)]).toEqual([
      202,
      {
        id,
        restore_id: expect.stringMatching(/^rst_[0-9A-Z]{26}$/),
        target_database: 'review',
        status: 'pending',
      },
    ]);
    const restoreId = dataOf(response).restore_id;
    const path = `/v1/snapshots/${id}/restores/${restoreId}`;
    expect(response.headers.get('location')).toBe(path);
    expect(org.agent.prechecks).toMatchObject([
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
    const show = async () => dataOf(await snapshots.plane.request(path, { token: org.token }));
    expect(await show()).toMatchObject({ status: 'running', progress: { phase: 'loading', bytes_done: 5 } });
    await report(3, { case: 'completed', value: { counts, durationMs: 1n } });
    expect(await show()).toMatchObject({ status: 'completed', progress: { phase: null, tables_done: 1 } });
  });

  it.each([
    ['a target that holds tables', FailureCode.TARGET_NOT_EMPTY, 409, 'conflict'],
    ['a target in use', FailureCode.TARGET_IN_USE, 409, 'conflict'],
    ['the source database', FailureCode.SAME_DATABASE, 409, 'conflict'],
    ['a database that the policy does not admit', FailureCode.POLICY_DENIED, 422, 'validation_error'],
    ['a server that is unreachable', FailureCode.CONNECTION_FAILED, 503, 'unavailable'],
  ])('into %s is refused without a change', async (_, code, status, error) => {
    const org = await snapshots.organization();
    const id = await org.ready();
    org.agent.respond = () => code;
    const refused = await org.restore(id);
    expect([refused.status, refused.body]).toMatchObject([status, { error: { code: error } }]);
    expect(
      await snapshots.plane.query('SELECT id FROM snapshot_restores WHERE snapshot_id = $1', [id]),
    ).toEqual([]);
  });

  it('is refused with 503 if no agent responds or none is live', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    org.agent.respond = () => 'no_response';
    const silent = await org.restore(id);
    expect([silent.status, silent.headers.get('retry-after')]).toEqual([503, '5']);
    await org.addAgent({ store: 3n });
    await snapshots.plane.query(`UPDATE agents SET last_seen_at = NULL WHERE id = $1`, [org.agent.id]);
    expect((await org.restore(id)).status).toBe(503);
  });

  it('is listed with the other restores of its snapshot, newest first, and only to its organisation', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    const first = dataOf(await org.restore(id)).restore_id;
    const ids = [dataOf(await org.restore(id)).restore_id, first];
    const list = async (path: string, sender = org) => {
      const { status, body } = await sender.send(path);
      if (status !== 200) return status;
      const { data } = body as unknown as { data: { restores: { restore_id: string }[]; total: number } };
      return [data.total, ...data.restores.map(({ restore_id: restoreId }) => restoreId)];
    };
    expect(await list(`/${id}/restores`)).toEqual([2, ...ids]);
    expect(await list(`/${id}/restores?per_page=1&page=2`)).toEqual([2, ids[1]]);
    expect(await list(`/${await org.post()}/restores`)).toEqual([0]);
    expect(await list(`/${id}/restores`, await snapshots.organization())).toBe(404);
    expect(await list('/snap_01ARZ3NDEKTSV4RRFFQ69G5FAV/restores')).toBe(404);
  });

  it('can run on any agent with the same store', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    await snapshots.plane.query(`UPDATE agents SET last_seen_at = NULL WHERE id = $1`, [org.agent.id]);
    const peer = await org.addAgent();
    expect((await org.restore(id)).status).toBe(202);
    expect((await restoring(peer)).snapshotId).toBe(id);
  });

  it('into its own database is refused before an agent is asked', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    expect((await org.restore(id, { target_database: 'agent:shop' })).status).toBe(409);
    expect(org.agent.prechecks).toEqual([]);
  });

  it('delays the deletion of its snapshot until it has ended', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    const { restore_id: restoreId } = dataOf(await org.restore(id));
    await org.agent.beat();
    await restoring(org.agent);
    await org.send(`/${id}`, 'DELETE');
    expect(await org.agent.pendingCommand()).toBeUndefined();
    const event = { case: 'completed', value: { durationMs: 1n } } as const;
    await org.agent.report({ case: 'restore', value: { restoreId, epoch: 1, seq: 1, event } });
    expect((await deletion(org.agent)).snapshotId).toBe(id);
  });

  it('is cancelled with its snapshot if no agent has started it, and sends a webhook', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    await org.subscribe();
    // This agent has no free slot: it responds to the pre-check but accepts no work.
    const full = await org.addAgent({ freeSlots: 0 });
    // The other agent also has no free slot and sends a heartbeat after the snapshot is ready. Before that
    // heartbeat, an ended job counts as a free slot.
    org.agent.freeSlots = 0;
    await org.agent.beat();
    expect(full.store).toBe(org.agent.store);
    const { restore_id: restoreId } = dataOf(await org.restore(id));
    await org.send(`/${id}`, 'DELETE');
    const ended = dataOf(await org.send(`/${id}/restores/${restoreId}`));
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    const names = { name: 'nightly', target_database: 'review', overwrite: false };
    const data = { snapshot_id: id, restore_id: restoreId, ...names, error: ended.error };
    expect(await org.events(id)).toEqual([['restore.failed', data]]);
  });
});
