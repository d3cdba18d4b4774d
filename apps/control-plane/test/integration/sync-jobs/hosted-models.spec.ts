import { createHash, randomBytes } from 'node:crypto';

import { createUser, type KeyPair } from '@nats-io/nkeys';
import { ulid } from 'ulid';

import { modelFile, modelForm } from '../harness/model-files.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

// The agents here consist of a key and a row. apps/agent/test/e2e tests the route with a real agent.
const FILE = modelFile();
const HASH = createHash('sha256').update(FILE).digest('hex');

interface Agent {
  readonly id: string;
  readonly key: KeyPair;
}

let plane: ControlPlane;
let agent: Agent;
let jobId: string;

beforeAll(async () => {
  plane = await startControlPlane();
  agent = await addAgent(plane.orgId);
  const uploaded = await plane.request('/v1/models', { method: 'POST', body: modelForm({ file: FILE }) });
  expect(uploaded.status).toBe(201);
});
afterAll(() => plane?.stop());
beforeEach(async () => {
  jobId = await addJob(agent);
});

async function addAgent(orgId: string): Promise<Agent> {
  const [id, key] = [`agt_${ulid()}`, createUser()];
  await plane.query(
    `INSERT INTO agents (id, organization_id, name, nats_public_key, sealing_public_key) VALUES ($1, $2, 'a', $3, $4)`,
    [id, orgId, key.getPublicKey(), Buffer.alloc(32, 9)],
  );
  return { id, key };
}

/** Creates a job with one column rule, and marks the job as running on the agent. */
async function addJob({ id }: Agent, rule: object = { generator: 'custom/names' }): Promise<string> {
  const response = await plane.request('/v1/sync/jobs', {
    method: 'POST',
    body: {
      name: 'nightly',
      source: { type: 'postgresql', connection_string: 'agent:a' },
      target: { type: 'postgresql', connection_string: 'agent:b' },
      tables: [{ name: 't', columns: { c: rule } }],
    },
  });
  expect(response.status).toBe(201);
  const job = response.body['data'] as unknown as { id: string };
  const leased = `UPDATE sync_jobs SET agent_id = $2, status = 'running', epoch = 1, attempts = 1, started_at = now(),
    leased_at = now(), lease_expires_at = now() + interval '1 hour' WHERE id = $1`;
  await plane.query(leased, [job.id, id]);
  return job.id;
}

interface Asked {
  readonly agentId?: string;
  readonly jobId?: string;
  readonly sha256?: string;
  readonly issuedAt?: string;
  readonly purpose?: string;
  readonly nonce?: string;
}

function ask({ id, key }: Agent, changes: Asked = {}, sent: Record<string, string> = {}) {
  const { agentId = id, jobId: job = jobId, sha256 = HASH, purpose = 'hosted model' } = changes;
  const issuedAt = changes.issuedAt ?? new Date().toISOString();
  const nonce = changes.nonce ?? randomBytes(16).toString('base64url');
  const message = [`understudy agent ${purpose} v1`, agentId, job, sha256, issuedAt, nonce].join('\n');
  const signature = Buffer.from(key.sign(new TextEncoder().encode(message))).toString('base64');
  const body = { agent_id: agentId, job_id: job, sha256, issued_at: issuedAt, nonce, signature, ...sent };
  return fetch(`${plane.url}/v1/agents/hosted-models`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

it('returns the exact file that the job was accepted with', async () => {
  const response = await ask(agent);
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('content-length'),
  ]).toEqual([200, 'application/octet-stream', String(FILE.length)]);
  expect(
    createHash('sha256')
      .update(new Uint8Array(await response.arrayBuffer()))
      .digest('hex'),
  ).toBe(HASH);
});

it('the same request gets its file once', async () => {
  const again = { issuedAt: new Date().toISOString(), nonce: 'nonce-nonce-nonce' };
  const responses = [await ask(agent, again), await ask(agent, again), await ask(agent)];
  expect(responses.map(({ status }) => status)).toEqual([200, 401, 200]);
});

it.each<[string, () => Promise<Response>]>([
  ['a key that is not the agent’s', async () => ask({ ...agent, key: createUser() })],
  ['a signature for another purpose', async () => ask(agent, { purpose: 'renewal' })],
  ['a signature for another file', async () => ask(agent, {}, { sha256: '0'.repeat(64) })],
  ['a signature for another job', async () => ask(agent, {}, { job_id: `job_${ulid()}` })],
  [
    'a signature of two minutes ago',
    async () => ask(agent, { issuedAt: new Date(Date.now() - 120_000).toISOString() }),
  ],
])('returns 401 for %s', async (_, asking) => {
  const response = await asking();
  expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('unauthorized')]);
});

it('returns 403 for a revoked agent', async () => {
  const revoked = await addAgent(plane.orgId);
  await plane.query('UPDATE agents SET revoked_at = now() WHERE id = $1', [revoked.id]);
  const response = await ask(revoked, { jobId: await addJob(revoked) });
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('revoked')]);
});

it.each<[string, () => Promise<Response>]>([
  ['a file that the job does not use', async () => ask(agent, { sha256: '0'.repeat(64) })],
  ['an unknown job', async () => ask(agent, { jobId: `job_${ulid()}` })],
  ['a job of another agent', async () => ask(await addAgent(plane.orgId))],
  ['a job of another organisation', async () => ask(await addAgent(await plane.addOrganization()))],
  [
    'a job without that model',
    async () => ask(agent, { jobId: await addJob(agent, { generator: 'en_US/first_names' }) }),
  ],
  [
    'a job that has ended',
    async () => {
      await plane.query(
        "UPDATE sync_jobs SET status = 'completed', completed_at = now(), lease_expires_at = NULL WHERE id = $1",
        [jobId],
      );
      return ask(agent);
    },
  ],
  [
    'a model deleted since',
    async () => {
      await plane.request('/v1/models/custom/names', { method: 'DELETE' });
      return ask(agent);
    },
  ],
])('returns 404 for %s', async (_, asking) => {
  const response = await asking();
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('not_found')]);
});
