import { AGENT_CAPABILITIES } from '@understudy/agent-protocol';
import { FailureCode, WarningCode } from '@understudy/agent-protocol/schema';
import { waitFor } from '@understudy/testing';

import { type FakeAgent, startFakeAgent } from '../harness/fake-agent.js';
import { type ControlPlane, startControlPlane } from '../harness/start-control-plane.js';
import { testOffer } from '../harness/test-offer.js';

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
  const body = {
    name: 'nightly',
    source: { type: 'postgresql', connection_string: 'agent:shop' },
    target: { type: 'postgresql', connection_string: `agent:${target}` },
    replace: 'database',
    tables: [{ name: 'customers', rows: 'none' }],
  };
  const created = await plane.request('/v1/sync/jobs', { method: 'POST', body });
  const jobId = String(data(created)['id']);
  await agent.beat();
  expect(await agent.nextCommand()).toMatchObject({ value: { jobId } });
  const warnings = warning === undefined ? [] : [{ code: warning }];
  const value = { warnings, ...(keptHours !== undefined && { keptHours }) };
  const event = { case: 'completed', value } as const;
  await agent.report({ case: 'syncJob', value: { jobId, epoch: 1, seq: 1, event } });
  return jobId;
}

/** Requests a revert, and returns its id and the command of the agent. */
async function begun(id: string) {
  const accepted = data(await revert(id));
  expect(accepted).toEqual({ id, revert_id: expect.any(String), status: 'pending' });
  await agent.beat();
  const { case: kind, value } = (await agent.nextCommand()) ?? {};
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
    await agent.report({ case: 'keptDatabaseDropped', value: { changeId: first } });
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
