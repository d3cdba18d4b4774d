import { AGENT_CAPABILITIES, byName } from '@understudy/agent-protocol';
import { FailureCode, WarningCode } from '@understudy/agent-protocol/schema';
import { waitFor } from '@understudy/testing';

import { type FakeAgent, makeSnapshot, startFakeAgent } from '../harness/fake-agent.js';
import { type ControlPlane, startControlPlane } from '../harness/start-control-plane.js';
import { fingerprint, testOffer } from '../harness/test-offer.js';

let plane: ControlPlane;
let agent: FakeAgent;
beforeAll(async () => {
  plane = await startControlPlane({ syncJobs: { reconcileMs: 100 } });
  agent = await startFakeAgent(plane, { offer: testOffer({ capabilities: [...AGENT_CAPABILITIES] }) });
});
afterAll(async () => {
  await agent?.stop();
  await plane?.stop();
});

const data = ({ body }: { body: unknown }) => (body as { data: Record<string, unknown> }).data;
const get = async (path: string) => data(await plane.request(`/v1/sync/jobs/${path}`));
const revert = (id: string) => plane.request(`/v1/sync/jobs/${id}/revert`, { method: 'POST', body: {} });
const message = ({ body }: { body: unknown }) => (body as { error: { message: string } }).error.message;

/** Runs a job that replaces a database. */
async function completed(keptHours?: number, target = 'staging', warning?: WarningCode): Promise<string> {
  const jobId = await started(target);
  await reportCompleted(jobId, { keptHours, warning });
  return jobId;
}

/** Creates a job that replaces a database, and gives it to an agent. */
async function started(target: string, by = agent, more: object = {}): Promise<string> {
  const body = {
    name: 'nightly',
    source: { type: 'postgresql', connection_string: 'agent:shop' },
    target: { type: 'postgresql', connection_string: `agent:${target}` },
    replace: 'database',
    tables: [{ name: 'customers', rows: 'none' }],
    ...more,
  };
  const created = await plane.request('/v1/sync/jobs', { method: 'POST', body });
  const jobId = String(data(created)['id']);
  await by.beat();
  expect(await by.nextCommand()).toMatchObject({ value: { jobId } });
  return jobId;
}

async function reportCompleted(
  jobId: string,
  {
    keptHours,
    warning,
    by = agent,
    at,
  }: Partial<{ keptHours: number; warning: WarningCode; by: FakeAgent; at: Date }>,
): Promise<void> {
  const warnings = warning === undefined ? [] : [{ code: warning }];
  const value = { warnings, ...(keptHours !== undefined && { keptHours }) };
  const event = { case: 'completed', value } as const;
  await by.report({ case: 'syncJob', value: { jobId, epoch: 1, seq: 1, event } }, at);
}

/** Begins a restore of a new snapshot. */
async function restoring(target: string): Promise<string> {
  const path = '/v1/snapshots';
  const body = { name: 'nightly', database: 'agent:shop', tables: ['customers'] };
  const snapshotId = String(data(await plane.request(path, { method: 'POST', body }))['id']);
  await agent.beat();
  await agent.nextCommand();
  await makeSnapshot(agent, { snapshotId, epoch: 1 });
  const restore = { target_database: `agent:${target}`, overwrite: true };
  const request = { method: 'POST', body: restore };
  const restoreId = String(data(await plane.request(`${path}/${snapshotId}/restore`, request))['restore_id']);
  await agent.beat();
  expect(await agent.nextCommand()).toMatchObject({ case: 'restoreSnapshot', value: { restoreId } });
  return restoreId;
}

const reportRestored = (restoreId: string, value: { replacedAgain?: boolean }, at?: Date) => {
  const event = { case: 'completed', value: { durationMs: 1n, ...value } } as const;
  return agent.report({ case: 'restore', value: { restoreId, epoch: 1, seq: 1, event } }, at);
};

/** Requests a revert, and returns its id and the command of the agent. */
async function begun(id: string, by = agent) {
  const accepted = data(await revert(id));
  expect(accepted).toEqual({ id, revert_id: expect.any(String), status: 'pending' });
  await by.beat();
  const { case: kind, value } = (await by.nextCommand()) ?? {};
  expect(kind).toBe('revertReplacement');
  return { revertId: String(accepted['revert_id']), value };
}

const ends = (revertId: string, code?: FailureCode) =>
  agent.report({ case: 'replacementReverted', value: { revertId, ...(code && { code }) } });
const expire = (id: string) =>
  plane.query("UPDATE kept_databases SET kept_until = now() - interval '1 s' WHERE work_id = $1", [id]);
const webhookEvents = async (id: string) => {
  const rows = await plane.query(
    "SELECT type FROM webhook_events WHERE body::json -> 'data' ->> 'job_id' = $1 ORDER BY created_at, id",
    [id],
  );
  return rows.map(({ type }) => type);
};

describe('a database that a job has replaced', () => {
  it('is kept for the hours of the agent, and comes back and goes with each revert', async () => {
    const id = await completed(5);
    const replaced = (await get(id))['replaced'] as { kept_until: string; reverted_at: string | null };
    expect(replaced).toMatchObject({ reverted_at: null, last_revert: null });
    expect(Date.parse(replaced.kept_until) - Date.now()).toBeGreaterThan(4.9 * 3_600_000);

    const first = await begun(id);
    expect(first.value).toMatchObject({ workId: id, lastChangeId: id, attempt: 1, revertId: first.revertId });
    expect(message(await revert(id))).toContain('has not ended');
    expect(await get(`${id}/reverts/${first.revertId}`)).toMatchObject({ status: 'pending', ended_at: null });
    const pending = { revert_id: first.revertId, status: 'pending', error: null };
    expect(await get(id)).toMatchObject({ replaced: { last_revert: pending } });
    await ends(first.revertId);
    await ends(first.revertId);
    expect(await get(`${id}/reverts/${first.revertId}`)).toMatchObject({ status: 'completed', error: null });
    expect(await get(id)).toMatchObject({
      status: 'completed',
      replaced: {
        ...{ kept_until: replaced.kept_until, reverted_at: expect.any(String) },
        last_revert: { revert_id: first.revertId, status: 'completed', error: null },
      },
    });

    const failed = await begun(id);
    expect(failed.value).toMatchObject({ lastChangeId: first.revertId });
    await ends(failed.revertId, FailureCode.DATABASE_IN_USE);
    expect(await get(`${id}/reverts/${failed.revertId}`)).toMatchObject({
      status: 'failed',
      error: { code: 'database_in_use', message: expect.stringContaining('request the revert again') },
    });
    expect((await get(id))['replaced']).toMatchObject({
      last_revert: { revert_id: failed.revertId, status: 'failed', error: { code: 'database_in_use' } },
    });
    const second = await begun(id);
    await ends(second.revertId);
    expect((await get(id))['replaced']).toMatchObject({ reverted_at: null });

    await expire(id);
    await agent.beat();
    expect(await agent.nextCommand()).toMatchObject({
      case: 'dropKeptDatabase',
      value: { workId: id, changeId: second.revertId },
    });
    expect(message(await revert(id))).toContain('No database is kept');
    await agent.report({ case: 'keptDatabaseDropped', value: { changeId: second.revertId } });
    expect((await get(id))['replaced']).toBeNull();
    const rows = await plane.query("SELECT FROM audit_entries WHERE action = 'sync_job.reverted'");
    expect(rows).toHaveLength(3);
  });

  it('cannot come back after a later replacement, and is dropped when its time has passed', async () => {
    const [first, second] = [await completed(5), await completed()];
    expect(message(await revert(first))).toContain('has replaced the target since');
    expect(message(await revert(second))).toContain('No database is kept');
    expect((await get(second))['replaced']).toBeNull();
    const other = await completed(5, 'review');
    await expire(first);
    await agent.beat();
    expect(await agent.nextCommand()).toMatchObject({ case: 'dropKeptDatabase', value: { changeId: first } });
    const { revertId } = await begun(other);
    for (let time = 0; time < 2; time += 1)
      await agent.report({
        case: 'keptDatabaseDropped',
        value: { changeId: first, code: FailureCode.REPLACE_DENIED },
      });
    const left = { code: 'kept_database_left', message: expect.stringContaining('owner was changed') };
    expect((await get(first))['warnings']).toEqual([left]);
    await ends(revertId, FailureCode.KEPT_DATABASE_MISSING);
    expect((await get(first))['replaced']).toBeNull();
  });

  it('can come back after a late report of an earlier replacement', async () => {
    const id = await completed(5, 'review');
    await completed(undefined, 'review', WarningCode.RESULT_UNKNOWN);
    const { revertId } = await begun(id);
    await ends(revertId);
    expect((await get(id))['replaced']).toMatchObject({ reverted_at: expect.any(String) });
  });

  it('can come back after a job of which only the result is gone', async () => {
    const id = await completed(5, 'review', WarningCode.RESULT_UNKNOWN);
    const { revertId } = await begun(id);
    await ends(revertId);
    expect((await get(id))['replaced']).toMatchObject({ reverted_at: expect.any(String) });
  });

  it('can come back after an earlier job or restore whose report arrives late', async () => {
    const target = 'shop_staging';
    const [late, restore, again] = [await started(target), await restoring(target), await restoring(target)];
    const at = new Date();
    const id = await completed(5, target);
    await reportCompleted(late, { keptHours: 5, at });
    await reportRestored(restore, {}, at);
    await reportRestored(again, { replacedAgain: true });
    expect(message(await revert(late))).toContain('has replaced the target since');
    await ends((await begun(id)).revertId);
    await reportRestored(await restoring(target), {});
    expect(message(await revert(id))).toContain('has replaced the target since');
  });

  it('belongs to its agent, or to another one with the same policy', async () => {
    const target = 'shop_review';
    const other = async (digit: string, name: string) => {
      const [review, shop] = ['shop_review', 'shop'].map(byName) as [string, string];
      const policies = { [review]: fingerprint(digit), [shop]: fingerprint(digit) };
      return startFakeAgent(plane, {
        ...{ name, offer: testOffer({ policies, capabilities: [...AGENT_CAPABILITIES] }) },
      });
    };
    const id = await completed(5, target);
    const stranger = await other('7', 'stranger');
    const job = await started(target, stranger, { agent: { name: 'stranger' } });
    await reportCompleted(job, { keptHours: 5, by: stranger });
    await plane.query('UPDATE agents SET last_seen_at = NULL WHERE id = $1', [stranger.id]);
    const { revertId } = await begun(id);
    await ends(revertId);

    // For a moment, only the stranger is there.
    const left = (time: string) =>
      plane.query(`UPDATE agents SET last_seen_at = now() - interval '${time}' WHERE id = $1`, [agent.id]);
    await left('1 minute');
    const pending = data(await revert(id));
    await stranger.beat();
    expect(await stranger.pendingCommand()).toBeUndefined();
    const peer = await other('2', 'peer');
    await peer.beat();
    const { value } = (await peer.nextCommand()) ?? {};
    expect(value).toMatchObject({ revertId: pending['revert_id'], lastChangeId: revertId });
    const swapped = { revertId: String(pending['revert_id']) };
    await peer.report({ case: 'replacementReverted', value: swapped });
    await plane.query('UPDATE agents SET last_seen_at = NULL WHERE id = $1', [peer.id]);
    await expire(id);
    await left('23 hours');
    await stranger.beat();
    expect(await stranger.pendingCommand()).toBeUndefined();
    await left('25 hours');
    await stranger.beat();
    expect(await stranger.nextCommand()).toMatchObject({ case: 'dropKeptDatabase', value: { workId: id } });
    await stranger.report({ case: 'keptDatabaseDropped', value: { changeId: swapped.revertId } });
    await Promise.all([stranger.stop(), peer.stop()]);
    await plane.query('UPDATE agents SET last_seen_at = NULL WHERE id = $1', [stranger.id]);
    await agent.beat();
  });

  it('is reverted with the end of sessions if its job ended them, also if the job is deleted before', async () => {
    const target = 'shop_staging';
    expect((await begun(await completed(5, 'x'))).value).toMatchObject({ endSessions: false });
    const id = await started(target, agent, { end_sessions: true });
    await reportCompleted(id, { keptHours: 5 });
    const { revertId, value } = await begun(id);
    expect(value).toMatchObject({ endSessions: true });
    await plane.request(`/v1/sync/jobs/${id}`, { method: 'DELETE' });
    await ends(revertId, FailureCode.DATABASE_IN_USE);
    await ends(revertId);
    await ends(revertId);
    await expire(id);
    await agent.beat();
    const command = await agent.nextCommand();
    expect(command).toMatchObject({ case: 'dropKeptDatabase', value: { workId: id, changeId: revertId } });
  });

  it('is reverted by a late success, and fails if no agent reports the end within a day', async () => {
    const id = await completed(500);
    const { revertId } = await begun(id);
    await plane.query(
      "UPDATE sync_job_reverts SET created_at = created_at - interval '25 hours' WHERE id = $1",
      [revertId],
    );
    const status = async () => (await get(`${id}/reverts/${revertId}`))['status'];
    await waitFor('the end of the revert', async () => (await status()) === 'failed');
    await ends(revertId);
    expect([await status(), (await get(id))['replaced']]).toMatchObject([
      'completed',
      { reverted_at: expect.any(String) },
    ]);
  });

  it('sends a webhook for each end of a revert', async () => {
    const hook = { url: 'https://hooks.example.com/x', events: ['sync.reverted', 'sync.revert_failed'] };
    await plane.request('/v1/webhooks', { method: 'POST', body: hook });
    const id = await completed(5);
    await ends((await begun(id)).revertId, FailureCode.DATABASE_IN_USE);
    await ends((await begun(id)).revertId);
    expect(await webhookEvents(id)).toEqual(['sync.revert_failed', 'sync.reverted']);
    expect(message(await revert('job_01ARZ3NDEKTSV4RRFFQ69G5FAV'))).toContain('sync job');
  });
});
