import { FailureCode } from '@understudy/agent-protocol/schema';

import { waitFor } from '@understudy/testing';

import { SnapshotExpiry } from '../../../src/jobs/snapshots/deletions/snapshot-expiry.js';
import { readyEvent } from '../harness/fake-agent.js';
import { ALL_BUT_DATE } from '../harness/start-control-plane.js';
import {
  created,
  dataOf,
  deletion,
  gone,
  type SnapshotsHarness,
  type SnapshotsOrganization,
  startSnapshots,
} from './snapshots-harness.js';

let snapshots: SnapshotsHarness;
beforeAll(async () => {
  snapshots = await startSnapshots();
});
afterAll(() => snapshots?.stop());

const isExpired = async (id: string) => {
  const [row] = await snapshots.plane.query(
    `SELECT expired_at IS NOT NULL AS expired FROM snapshots WHERE id = $1`,
    [id],
  );
  return row?.['expired'];
};

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

describe('the deletion of a snapshot', () => {
  it('frees its quota immediately and completes when an agent of its store has erased it', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    expect(await org.used()).toBe(1);
    const deleted = await org.send(`/${id}`, 'DELETE');
    expect([deleted.status, dataOf(deleted)]).toEqual([200, { deleted: true, id }]);
    expect(await org.used()).toBe(0);
    expect((await org.get(id)).status).toBe('deleting');
    expect((await org.restore(id)).status).toBe(409);
    expect((await org.send(`/${id}`, 'DELETE')).status).toBe(200);
    expect(await org.used()).toBe(0);
    const command = await deletion(org.agent);
    expect(command).toMatchObject({ snapshotId: id, beforeEpoch: 0 });
    expect(Buffer.from(command.store).toString('hex')).toBe(org.agent.store);
    // A report of an agent with another store is ignored.
    const other = await org.addAgent({ store: 7n });
    await other.report({ case: 'snapshotDeleted', value: { deletionId: command.deletionId } });
    expect((await org.get(id)).status).toBe('deleting');
    await org.agent.report({ case: 'snapshotDeleted', value: { deletionId: command.deletionId } });
    await gone(org, id);
  });

  it('cancels a snapshot that is being created, and completes when its agent has ended', async () => {
    const org = await snapshots.organization();
    const id = await org.post();
    await created(org.agent);
    expect((await org.send(`/${id}`, 'DELETE')).status).toBe(200);
    expect((await org.get(id)).status).toBe('deleting');
    const lease = { jobId: id, epoch: 1 };
    expect(await org.agent.beat([lease])).toEqual({ lost: [], cancelled: [lease], revoked: false });
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

  it('erases a snapshot that was completed after the request, even if its row is already deleted', async () => {
    const org = await snapshots.organization();
    await org.subscribe();
    const id = await org.post();
    await created(org.agent);
    await org.send(`/${id}`, 'DELETE');
    await org.agent.report(readyEvent(org.agent, { snapshotId: id, epoch: 1 }));
    expect((await org.get(id)).status).toBe('deleting');
    expect(await org.events(id)).toMatchObject([['snapshot.failed', { error: { code: 'cancelled' } }]]);
    const { deletionId } = await deletion(org.agent);
    await org.agent.report({ case: 'snapshotDeleted', value: { deletionId } });
    await gone(org, id);
    await org.agent.report(readyEvent(org.agent, { snapshotId: id, epoch: 1 }));
    expect(await deletion(org.agent)).toMatchObject({ snapshotId: id, beforeEpoch: 0 });
  });

  it('completes immediately if no agent has started to create the snapshot', async () => {
    const org = await snapshots.organization();
    await org.subscribe();
    await snapshots.plane.query(`UPDATE agents SET last_seen_at = NULL WHERE id = $1`, [org.agent.id]);
    const id = await org.post();
    await org.send(`/${id}`, 'DELETE');
    expect((await org.send(`/${id}`)).status).toBe(404);
    const message = 'The snapshot was cancelled, because it was deleted or expired.';
    expect(await org.events(id)).toMatchObject([
      ['snapshot.failed', { error: { code: 'cancelled', message } }],
    ]);
    expect(await org.used()).toBe(0);
  });
});

describe('a deletion that an agent refuses', () => {
  const refusal = (deletionId: string, retryAfterSeconds: number) =>
    ({
      case: 'snapshotDeletionRefused',
      value: { deletionId, code: FailureCode.SNAPSHOT_TOO_YOUNG, retryAfterSeconds },
    }) as const;
  const pass = (id: string, hours: number) =>
    snapshots.plane.query(
      `UPDATE snapshot_deletions SET sent_at = sent_at - $2 * interval '1 hour',
         refused_until = refused_until - $2 * interval '1 hour' WHERE snapshot_id = $1`,
      [id, hours],
    );
  /**
   * Returns whether the row of the deletion records that its command was sent again. The agent does not
   * receive the second command, because JetStream discards a command that is repeated within minutes.
   */
  const wasSentAgain = async (id: string) => {
    const [row] = await snapshots.plane.query(
      `SELECT sent_at > now() - interval '30 minutes' AS again FROM snapshot_deletions WHERE snapshot_id = $1`,
      [id],
    );
    return row?.['again'] === true;
  };
  /**
   * Requests another deletion and waits for its command. Commands that were due earlier have then been sent.
   */
  const laterDeletionIsSent = async (org: SnapshotsOrganization) => {
    const other = await org.ready();
    await org.send(`/${other}`, 'DELETE');
    const { deletionId, snapshotId } = await deletion(org.agent);
    expect(snapshotId).toBe(other);
    await org.agent.report({ case: 'snapshotDeleted', value: { deletionId } });
    await gone(org, other);
  };

  it('is reported, waits as long as the agent requested, and is then carried out', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    await org.send(`/${id}`, 'DELETE');
    const { deletionId } = await deletion(org.agent);
    const started = Date.now();
    await org.agent.report(refusal(deletionId, 86_400));
    const shown = await org.get(id);
    expect(shown).toMatchObject({ status: 'deleting', warnings: [{ code: 'snapshot_too_young' }] });
    const [, until = ''] = /before (\S+Z)\./.exec(shown.warnings[0]?.message ?? '') ?? [];
    expect(Date.parse(until)).toBeGreaterThanOrEqual(started + 86_000_000);
    // With the settings of the harness, a refused deletion is sent again after two hours, because the policy
    // may have changed. A command without a response is sent again after one hour.
    await pass(id, 1.5);
    await laterDeletionIsSent(org);
    expect(await wasSentAgain(id)).toBe(false);
    await pass(id, 1);
    await waitFor('the deletion command to be sent again', () => wasSentAgain(id));
    await org.agent.report({ case: 'snapshotDeleted', value: { deletionId } });
    await gone(org, id);
  });

  it('is sent again after the time in the refusal', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    await org.send(`/${id}`, 'DELETE');
    const { deletionId } = await deletion(org.agent);
    await org.agent.report(refusal(deletionId, 5_400));
    await pass(id, 1.2);
    await laterDeletionIsSent(org);
    expect(await wasSentAgain(id)).toBe(false);
    await pass(id, 0.4);
    await waitFor('the deletion command to be sent again', () => wasSentAgain(id));
  });

  it('leaves an expired snapshot in the state expired and reports why it is still stored', async () => {
    const org = await snapshots.organization();
    const id = await org.ready({ expires_in_days: 1 });
    expect(await snapshots.plane.app.get(SnapshotExpiry, { strict: false }).expireAll(inDays(2))).toEqual([
      id,
    ]);
    await org.agent.beat();
    const { deletionId } = await deletion(org.agent);
    await org.agent.report(refusal(deletionId, 86_400));
    expect(await org.get(id)).toMatchObject({
      status: 'expired',
      warnings: [{ code: 'snapshot_too_young' }],
    });
    expect((await org.restore(id)).status).toBe(409);
  });

  it('does not begin early if the clock of the control plane is ten days ahead', async () => {
    const org = await snapshots.organization();
    const [kept, due] = [await org.ready({ expires_in_days: 9 }), await org.ready()];
    await snapshots.plane.query(`UPDATE snapshots SET expires_at = now() WHERE id = $1`, [due]);
    jest.useFakeTimers({ now: inDays(10), doNotFake: ALL_BUT_DATE });
    try {
      snapshots.plane.app.get(SnapshotExpiry, { strict: false }).wake();
      await waitFor('the other snapshot to expire', async () => (await isExpired(due)) === true);
    } finally {
      jest.useRealTimers();
    }
    expect(await isExpired(kept)).toBe(false);
  });

  it('is ignored if it comes from an agent of another store', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    await org.send(`/${id}`, 'DELETE');
    const { deletionId } = await deletion(org.agent);
    const other = await org.addAgent({ store: 7n });
    await other.report(refusal(deletionId, 86_400));
    expect((await org.get(id)).warnings).toEqual([]);
  });
});

describe('the expiry of snapshots', () => {
  it('handles fifty snapshots exactly once, frees their quota and erases each once', async () => {
    const org = await snapshots.organization();
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push(await org.ready({ expires_in_days: 1 }));
    const kept = await org.ready({ expires_in_days: 9 });
    // Adds forty-seven more rows of ready snapshots.
    await snapshots.plane.query(
      `INSERT INTO snapshots (id, organization_id, name, database_display, database, asked_tables, tables, expires_at,
         made, status, created_at, started_at, completed_at)
       SELECT 'snap_01ARZ3NDEKTSV4RRFFQ69G' || lpad(n::text, 4, '0'), organization_id, name, database_display, database,
         asked_tables, tables, expires_at, made, status, created_at, started_at, completed_at
       FROM snapshots, generate_series(1, 47) AS n WHERE id = $1`,
      [ids[0]],
    );
    await snapshots.plane.query(
      `UPDATE usage_counters SET used = 51 WHERE organization_id = $1 AND metric = 'snapshots'`,
      [org.orgId],
    );
    const expiry = snapshots.plane.app.get(SnapshotExpiry, { strict: false });
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
      await snapshots.plane.query('SELECT id FROM snapshot_deletions WHERE organization_id = $1', [
        org.orgId,
      ]),
    ).toEqual([]);
    // An expired snapshot is visible until it is deleted.
    const [first = ''] = ids;
    await org.send(`/${first}`, 'DELETE');
    const { deletionId } = await deletion(org.agent);
    await org.agent.report({ case: 'snapshotDeleted', value: { deletionId } });
    await gone(org, first);
  });

  it('prevents a restore even before the snapshot is marked as expired', async () => {
    const org = await snapshots.organization();
    const id = await org.ready();
    await snapshots.plane.query(`UPDATE snapshots SET expires_at = now() WHERE id = $1`, [id]);
    const refused = await org.restore(id);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('expired')]);
  });

  it('cancels a snapshot that is still being created, which never becomes ready', async () => {
    const org = await snapshots.organization();
    const id = await org.post({ expires_in_days: 1 });
    await created(org.agent);
    await snapshots.plane.app.get(SnapshotExpiry, { strict: false }).expireAll(inDays(2));
    const lease = { jobId: id, epoch: 1 };
    expect((await org.agent.beat([lease])).cancelled).toEqual([lease]);
    await org.agent.report(readyEvent(org.agent, { snapshotId: id, epoch: 1 }));
    expect((await org.get(id)).status).toBe('expired');
    expect((await deletion(org.agent)).snapshotId).toBe(id);
  });
});
