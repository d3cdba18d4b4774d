import { startTestServices, type TestServices, waitFor } from '@understudy/testing';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { WorkDispatcher } from '../../../src/agents/agent-work/leases/work-dispatcher.js';
import { WorkLeasesService } from '../../../src/agents/agent-work/leases/work-leases.service.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};

let services: TestServices;
let plane: ControlPlane;

beforeAll(async () => {
  // Disables all periodic checks, so that only the tests start one.
  services = await startTestServices(); // a test pauses Redis
  plane = await startControlPlane(
    { syncJobs: { reconcileMs: 3_600_000, relayMs: 100, resendMs: 1 } },
    services,
  );
});
afterAll(() => plane?.stop());

/** Creates this number of jobs and assigns them to an agent that sends no events. */
async function leasedJobs(count: number): Promise<string[]> {
  const agentId = await plane.addAgent();
  await plane.query('UPDATE agents SET last_seen_at = now(), free_slots = $2 WHERE id = $1', [
    agentId,
    count,
  ]);
  const ids: string[] = [];
  for (let posted = 0; posted < count; posted += 1) {
    const { body } = await plane.request('/v1/sync/jobs', { method: 'POST', body: JOB });
    ids.push((body as unknown as { data: { id: string } }).data.id);
  }
  await waitFor('the jobs to be leased', async () => {
    const [row] = await plane.query(
      'SELECT count(*)::integer AS leased FROM sync_jobs WHERE id = ANY($1) AND lease_expires_at IS NOT NULL',
      [ids],
    );
    return row?.['leased'] === count;
  });
  await plane.query('UPDATE agents SET last_seen_at = NULL WHERE id = $1', [agentId]);
  return ids;
}

it('sends every other unacknowledged command if some cannot be sent', async () => {
  const ids = await leasedJobs(4);
  const link = plane.app.get(AgentLinkService);
  const sent: string[] = [];
  const send = jest.spyOn(link, 'send').mockImplementation(async (_agentId, { data }) => {
    const { jobId } = data as { readonly jobId: string };
    sent.push(jobId);
    if (jobId !== ids[3]) throw new Error('planted fault');
  });
  const dispatcher = plane.app.get(WorkDispatcher, { strict: false });
  await expect(dispatcher.resendUnconfirmed()).rejects.toThrow('planted fault');
  send.mockRestore();
  expect(sent).toEqual(expect.arrayContaining(ids));
});

it('reclaims every expired lease except the one whose row cannot be written', async () => {
  const ids = await leasedJobs(3);
  await plane.query(
    "UPDATE sync_jobs SET lease_expires_at = now() - interval '1 minute' WHERE id = ANY($1)",
    [ids],
  );
  await plane.query(`CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.id = '${ids[0]}' THEN RAISE EXCEPTION 'as planted'; END IF; RETURN NEW; END $$`);
  await plane.query(
    'CREATE TRIGGER planted BEFORE UPDATE ON sync_jobs FOR EACH ROW EXECUTE FUNCTION planted()',
  );
  try {
    const waiting = await plane.app.get(WorkLeasesService, { strict: false }).reclaimExpired();
    expect(waiting).toEqual(expect.arrayContaining(ids.slice(1)));
    expect(waiting).not.toContain(ids[0]);
  } finally {
    await plane.query('DROP TRIGGER planted ON sync_jobs');
    await plane.query('DROP FUNCTION planted');
  }
  const leased = await plane.query(
    'SELECT id FROM sync_jobs WHERE id = ANY($1) AND lease_expires_at IS NOT NULL',
    [ids],
  );
  expect(leased).toEqual([{ id: ids[0] }]);
});

it('holds no transaction and no outbox row while the relay waits for Redis', async () => {
  const redis = services.pids.redis;
  if (redis === undefined) throw new Error('no Redis');
  process.kill(redis, 'SIGSTOP');
  try {
    await plane.request('/v1/sync/jobs', { method: 'POST', body: JOB });
    await waitFor('the claim of the outbox rows', async () => {
      const rows = await plane.query(
        'SELECT 1 FROM outbox WHERE published_at IS NULL AND claimed_until > now()',
      );
      return rows.length > 0;
    });
    expect(
      await plane.query('SELECT id FROM outbox WHERE published_at IS NULL FOR UPDATE NOWAIT'),
    ).toHaveLength(1);
    expect(
      await plane.query(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'understudy-control-plane' AND state LIKE 'idle in transaction%'",
      ),
    ).toEqual([]);
  } finally {
    process.kill(redis, 'SIGCONT');
  }
  await waitFor('an empty outbox', async () => {
    return (await plane.query('SELECT 1 FROM outbox WHERE published_at IS NULL')).length === 0;
  });
});
