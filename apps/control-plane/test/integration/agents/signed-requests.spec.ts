import { createUserSeed, keyPairOf } from '@understudy/agent-protocol/nats-trust';
import { ulid } from 'ulid';

import { renewalMessage } from '../../../src/agents/registry/agents.dto.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const PER_MINUTE = 10;
/** More than the address may send in two windows. */
const AGENTS = 10 * PER_MINUTE;

interface Agent {
  readonly id: string;
  readonly seed: string;
}

// All requests come from one address, as they do behind a proxy that the control plane does not trust.
let plane: ControlPlane;
let agents: readonly Agent[];

beforeAll(async () => {
  // The long time limit keeps the counts exact on a slow machine.
  const rateLimits = { anonymousPerMinute: PER_MINUTE, agentPerMinute: PER_MINUTE, redisTimeoutMs: 30_000 };
  plane = await startControlPlane({ rateLimits });
  agents = Array.from({ length: AGENTS }, () => ({ id: `agt_${ulid()}`, seed: createUserSeed() }));
  await plane.query(
    `INSERT INTO agents (id, organization_id, name, nats_public_key, sealing_public_key)
    SELECT id, $1, 'a', key, $2 FROM unnest($3::text[], $4::text[]) AS enrolled(id, key)`,
    [
      plane.orgId,
      Buffer.alloc(32, 9),
      agents.map(({ id }) => id),
      agents.map(({ seed }) => keyPairOf('user', seed).getPublicKey()),
    ],
  );
});
afterAll(() => plane?.stop());

function renew(
  { id, seed }: Agent,
  changes: Record<string, string> = {},
  sender: { instance?: string; take_over?: boolean } = {},
) {
  const issuedAt = changes['issued_at'] ?? new Date().toISOString();
  const signed = { agent_id: id, issued_at: issuedAt, nonce: ulid(), ...sender };
  const bytes = new TextEncoder().encode(renewalMessage(signed));
  const signature = Buffer.from(keyPairOf('user', seed).sign(bytes)).toString('base64');
  const body = { ...signed, signature };
  return plane.request('/v1/agents/renew', { method: 'POST', token: null, body: { ...body, ...changes } });
}

const forge = (agent: Agent) => renew({ ...agent, seed: createUserSeed() });
const agent = (index: number) => agents[index] as Agent;
const statuses = async (requests: readonly ReturnType<typeof renew>[]) =>
  (await Promise.all(requests)).map(({ status }) => status);

it.each([
  ['start', true],
  ['renew', false],
])('all agents behind one address %s concurrently', async (_, takeOver) => {
  const sent = await statuses(agents.map((one) => renew(one, {}, { instance: one.id, take_over: takeOver })));
  expect(sent).toEqual(Array<number>(AGENTS).fill(200));
});

it('a forged request counts for the address, until the address is refused', async () => {
  const forged = await statuses(Array.from({ length: 3 * PER_MINUTE }, () => forge(agent(0))));
  // The window may end and begin again during the test, but never lets more than two limits pass.
  expect(forged.filter((status) => status === 401).length).toBeLessThanOrEqual(2 * PER_MINUTE);
  expect(new Set(forged)).toEqual(new Set([401, 429]));
});

it.each([
  ['without a body', () => plane.request('/v1/agents/renew', { method: 'POST', token: null })],
  ['with an invalid body', () => renew(agent(0), { nonce: '' })],
  ['with a body over 4 KiB', () => renew(agent(0), { nonce: 'n'.repeat(5_000) })],
])('a request %s counts for the address', async (_, send) => {
  const sent = await statuses(Array.from({ length: 3 * PER_MINUTE }, send));
  expect(sent).toContain(429);
  expect(sent).not.toContain(200);
});

it('a genuine request is accepted from an address that has reached its limit', async () => {
  const forged = await statuses(Array.from({ length: 3 * PER_MINUTE }, () => forge(agent(0))));
  expect(forged).toContain(429);
  expect((await renew(agent(1))).status).toBe(200);
});

it.each<[string, number, (one: Agent) => ReturnType<typeof renew>]>([
  ['renews', 200, (one) => renew(one)],
  ['has a wrong clock', 401, (one) => renew(one, { issued_at: new Date(0).toISOString() })],
  [
    'is revoked',
    403,
    async (one) => {
      await plane.query('UPDATE agents SET revoked_at = now() WHERE id = $1', [one.id]);
      return renew(one);
    },
  ],
])('an agent that %s too often is refused with Retry-After, and others are not', async (_, status, send) => {
  const busy = agent(2 + [200, 401, 403].indexOf(status));
  const answers = await Promise.all(Array.from({ length: 3 * PER_MINUTE }, () => send(busy)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status, 429]));
  const refused = answers.find((answer) => answer.status === 429);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused?.headers.get('x-ratelimit-limit')).toBe(String(PER_MINUTE));
  expect((await renew(agent(10))).status).toBe(200);
});
