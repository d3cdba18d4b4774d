import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { AgentAbsences } from '../../../src/agents/registry/absences/agent-absences.service.js';
import { startFakeAgent, type FakeAgent } from '../harness/fake-agent.js';
import { type ControlPlane, startControlPlane } from '../harness/start-control-plane.js';
import { type Receiver, startReceiver } from '../webhooks/webhook-receiver.js';

const AWAY_AFTER_MS = 3_600_000;

let plane: ControlPlane;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  // Only the tests search for absences, except for one search at the start of each process.
  plane = await startControlPlane({
    agentLink: { awayAfterMs: AWAY_AFTER_MS, absenceSweepMs: 3_600_000 },
    webhooks: { allowedNetworks: ['127.0.0.1'], sweepMs: 100 },
  });
});
afterAll(async () => {
  await plane?.stop();
  await receiver?.stop();
});

const agents: FakeAgent[] = [];
beforeEach(async () => {
  await plane.query('UPDATE agents SET revoked_at = now()'); // those of earlier tests
  await plane.query('DELETE FROM agent_watch');
  await sweep();
});
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.stop()));
});

const sweep = () => plane.app.get(AgentAbsences, { strict: false }).sweep();
/** Lets time pass: makes all times that are stored earlier. The control plane can receive heartbeats unless it is down. */
async function pass(time: string, { isDown = false } = {}): Promise<void> {
  await plane.query(
    'UPDATE agents SET last_seen_at = last_seen_at - $1::interval, away_since = away_since - $1::interval',
    [time],
  );
  const until = isDown ? 'until - $1::interval' : 'now()'; // however long the test has taken so far
  await plane.query(`UPDATE agent_watch SET since = since - $1::interval, until = ${until}`, [time]);
}
/** Creates an organisation with a webhook for all events about agents, and an agent that has sent a heartbeat. */
async function connected() {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  const call = (method: string, path: string, body?: object) =>
    plane.request(`/v1${path}`, { method, token, ...(body && { body }) });
  await call('POST', '/webhooks', { url: receiver.url, events: ['agent.away', 'agent.back'] });
  const agent = await startFakeAgent(plane, { orgId, name: 'eu-1' });
  agents.push(agent);
  await agent.beat();
  const events = async (id = agent.id) => {
    const rows = await plane.query(
      "SELECT type FROM webhook_events WHERE body::json -> 'data' ->> 'agent_id' = $1 ORDER BY created_at, id",
      [id],
    );
    return rows.map(({ type }) => type);
  };
  return { orgId, call, agent, events };
}

describe('an agent that is silent', () => {
  it('is reported once by concurrent processes, and once when it is back', async () => {
    const { agent, events, call } = await connected();
    await pass('61 minutes');
    await Promise.all([sweep(), sweep(), sweep()]);
    const peer = await plane.startPeer(); // searches when it starts
    await pass('2 hours');
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await events()).toEqual(['agent.away']);

    await agent.beat();
    await Promise.all([sweep(), sweep(), sweep()]);
    await agent.beat();
    await sweep();
    await peer.stop();
    expect(await events()).toEqual(['agent.away', 'agent.back']);

    const sent = await receiver.until(2, ({ body }) => body.data['agent_id'] === agent.id);
    const { body } = await call('GET', `/agents/${agent.id}`);
    const data = { agent_id: agent.id, name: 'eu-1', away_since: expect.stringMatching(/^20.*Z$/) };
    expect(sent.map(({ body: { event, data: sentData } }) => [event, sentData])).toEqual([
      ['agent.away', data],
      ['agent.back', data],
    ]);
    expect((body as unknown as { data: { status: string } }).data.status).toBe('live');
  });

  it('is reported again in its next absence, even if it was back only between two searches', async () => {
    const { agent, events } = await connected();
    await pass('61 minutes');
    await sweep();
    await agent.beat();
    await pass('61 minutes');
    await sweep();
    expect(await events()).toEqual(['agent.away', 'agent.back', 'agent.away']);
  });

  it('is not reported before the time has passed', async () => {
    const { events } = await connected();
    await pass('50 minutes');
    await sweep();
    expect(await events()).toEqual([]);
  });

  it('is not reported if it is revoked or was never connected', async () => {
    const { agent, call, events, orgId } = await connected();
    const neverConnected = await plane.addAgent({ orgId });
    await pass('30 minutes');
    await call('DELETE', `/agents/${agent.id}`);
    await pass('2 hours');
    await sweep();
    expect([await events(), await events(neverConnected)]).toEqual([[], []]);
  });

  it('is not reported as back if it was revoked while it was away', async () => {
    const { agent, call, events } = await connected();
    await pass('2 hours');
    await sweep();
    await call('DELETE', `/agents/${agent.id}`);
    await agent.beat().catch(() => undefined);
    await sweep();
    expect(await events()).toEqual(['agent.away']);
  });
});

describe('a control plane that could receive no heartbeats', () => {
  it('reports only agents that remain silent for the whole time afterwards', async () => {
    const [back, lost] = [await connected(), await connected()];
    await pass('2 hours', { isDown: true });
    await sweep();
    expect([await back.events(), await lost.events()]).toEqual([[], []]);
    await pass('50 minutes');
    await back.agent.beat();
    await sweep();
    await pass('11 minutes');
    await sweep();
    expect([await back.events(), await lost.events()]).toEqual([[], ['agent.away']]);
  });

  it('does not count the time in which this process has no connection to NATS', async () => {
    const { events } = await connected();
    const isReady = jest.spyOn(plane.app.get(AgentLinkService), 'isReady').mockReturnValue(false);
    for (let minutes = 0; minutes < 10; minutes += 1) {
      await pass('10 minutes', { isDown: true });
      await sweep();
    }
    isReady.mockRestore();
    await sweep();
    expect(await events()).toEqual([]);
  });
});

describe('a clock of the database that is set', () => {
  it.each([
    ['forward', '2 hours'],
    ['back', '-2 hours'],
  ])('%s makes no agent away that is connected, and hides none that is not', async (_, jump) => {
    const [live, lost] = [await connected(), await connected()];
    await pass('50 minutes');
    await live.agent.beat();
    await pass(jump, { isDown: true });
    await sweep();
    await live.agent.beat();
    await pass('50 minutes');
    await sweep();
    expect([await live.events(), await lost.events()]).toEqual([[], []]);
    await live.agent.beat();
    await pass('11 minutes');
    await sweep();
    expect([await live.events(), await lost.events()]).toEqual([[], ['agent.away']]);
    await lost.agent.beat();
    await sweep();
    expect(await lost.events()).toEqual(['agent.away', 'agent.back']);
  });
});
