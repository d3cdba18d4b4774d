import { AgentsService } from '../../../src/agents/registry/agents.service.js';
import { WorkLeasesService } from '../../../src/agents/agent-work/leases/work-leases.service.js';
import { startFakeAgent } from '../harness/fake-agent.js';
import { shiftClock } from './shifted-clock.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const LEASE_MS = 20_000;
const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:shop_production' },
  target: { type: 'postgresql', connection_string: 'agent:shop_staging' },
  tables: [{ name: 'customers' }],
};

let plane: ControlPlane;
let setRight = (): void => undefined;

beforeAll(async () => {
  plane = await startControlPlane({ syncJobs: { leaseMs: LEASE_MS } });
});
afterEach(() => setRight());
afterAll(() => plane?.stop());

async function organization() {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  const agent = await startFakeAgent(plane, { orgId });
  return { orgId, token, agent };
}

async function heldJob({ token, agent }: Awaited<ReturnType<typeof organization>>) {
  await agent.beat();
  const response = await plane.request('/v1/sync/jobs', { method: 'POST', body: JOB, token });
  expect(response.status).toBe(201);
  const command = await agent.nextCommand();
  if (command.case !== 'runSyncJob') throw new Error(`expected runSyncJob, got ${String(command.case)}`);
  return command.value;
}

describe.each([-30_000, 30_000])('an application clock with an offset of %i ms', (offMs) => {
  it('does not change the duration of leases, which the database measures', async () => {
    const org = await organization();
    setRight = shiftClock(offMs);
    const { jobId, epoch } = await heldJob(org);
    await plane.app.get(WorkLeasesService, { strict: false }).reclaimExpired();
    const [lease] = await plane.query(
      `SELECT attempts, lease_expires_at > now() AS lasts, lease_expires_at <= now() + $2 * interval '1 ms' AS ends
       FROM sync_jobs WHERE id = $1`,
      [jobId, LEASE_MS],
    );
    expect(lease).toEqual({ attempts: 1, lasts: true, ends: true });
    expect(await org.agent.beat([{ jobId, epoch }])).toEqual({ lost: [], cancelled: [], revoked: false });
    await org.agent.stop();
  });

  it('does not change when work ends, which the database decides', async () => {
    const org = await organization();
    setRight = shiftClock(offMs);
    const { jobId, epoch } = await heldJob(org);
    await org.agent.report({
      case: 'syncJob',
      value: { jobId, epoch, seq: 1, event: { case: 'completed', value: { durationMs: 5n } } },
    });
    const [job] = await plane.query(
      'SELECT status, started_at <= completed_at AND completed_at <= now() AS ended FROM sync_jobs WHERE id = $1',
      [jobId],
    );
    expect(job).toEqual({ status: 'completed', ended: true });
    await org.agent.stop();
  });

  it('does not change which agents are live', async () => {
    const { orgId, token, agent } = await organization();
    const agents = plane.app.get(AgentsService, { strict: false });
    const live = async () => {
      const { body } = await plane.request(`/v1/agents/${agent.id}`, { token });
      const { status } = (body as unknown as { data: { status: string } }).data;
      return { status, chosen: (await agents.liveAgents(orgId)).map(({ id }) => id) };
    };
    setRight = shiftClock(offMs);
    await agent.beat();
    expect(await live()).toEqual({ status: 'live', chosen: [agent.id] });
    setRight();
    expect(await live()).toEqual({ status: 'live', chosen: [agent.id] });
    setRight = shiftClock(offMs);
    await plane.query(`UPDATE agents SET last_seen_at = now() - interval '16 seconds' WHERE id = $1`, [
      agent.id,
    ]);
    expect(await live()).toEqual({ status: 'away', chosen: [] });
    await agent.stop();
  });
});
