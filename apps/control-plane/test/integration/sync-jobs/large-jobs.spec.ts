import { createHash, randomBytes } from 'node:crypto';

import { createUser } from '@nats-io/nkeys';
import type { SyncJobEvent } from '@understudy/agent-protocol';

import { SyncJobEventsService } from '../../../src/jobs/sync-jobs/events/sync-job-events.service.js';
import { startFakeAgent, type FakeAgent } from '../harness/fake-agent.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { testOffer } from '../harness/test-offer.js';

/** More than one NATS message may have, in more tables than one page. */
const RULE = { generator: 'template', pattern: `é${'x'.repeat(4_000)}` };
const TABLES = Array.from({ length: 250 }, (_, index) => ({
  name: `t${index}`,
  columns: { a: RULE, b: { preserve: true }, c: { type: 'list', values: [index, 'v'] } },
  ...(index === 120 ? { subset: { where: "region = 'EU' AND age > 3", limit: 5 } } : {}),
}));
const JOB = {
  name: 'large',
  source: { type: 'postgresql', connection_string: 'agent:shop_production' },
  target: { type: 'postgresql', connection_string: 'agent:shop_staging' },
  tables: TABLES,
  unlisted_columns: 'reject',
};

let plane: ControlPlane;
let agent: FakeAgent;
const key = createUser();
beforeAll(async () => {
  plane = await startControlPlane();
  agent = await startFakeAgent(plane, { offer: testOffer({ capabilities: ['fetched_tables'] }) });
  await plane.query('UPDATE agents SET nats_public_key = $2 WHERE id = $1', [agent.id, key.getPublicKey()]);
});
afterAll(async () => {
  await agent?.stop();
  await plane?.stop();
});

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await plane.request(path, { method, ...(body && { body }) });
  expect(response.status).toBeLessThan(300);
  return (response.body as unknown as { data: T }).data;
}

interface Job {
  readonly id: string;
  readonly error: { readonly message: string } | null;
}

/** Returns the command for a job. The agent may get cleanups of other jobs before. */
async function commandFor(id: string) {
  for (;;) {
    const command = await agent.nextCommand();
    if ((command.value as { readonly jobId?: string }).jobId === id) return command;
  }
}

/** Creates a job, and gives it to the agent. */
async function running(changes: object = {}) {
  const { id } = await call<Job>('POST', '/v1/sync/jobs', { ...JOB, ...changes });
  await agent.beat();
  const command = await commandFor(id);
  expect(command).toMatchObject({ case: 'runCapableSyncJob', value: { jobId: id, tables: [], needs: [6] } });
  const { fetchedTables } = command.value as { fetchedTables: { sha256: Uint8Array; byteLength: number } };
  return {
    id,
    hash: Buffer.from(fetchedTables.sha256).toString('hex'),
    byteLength: fetchedTables.byteLength,
  };
}

function fetchTables(jobId: string, sha256: string) {
  const issuedAt = new Date().toISOString();
  const nonce = randomBytes(16).toString('base64url');
  const lines = ['understudy agent hosted model v1', agent.id, jobId, sha256, issuedAt, nonce];
  const signature = Buffer.from(key.sign(new TextEncoder().encode(lines.join('\n')))).toString('base64');
  const body = { agent_id: agent.id, job_id: jobId, sha256, issued_at: issuedAt, nonce, signature };
  return fetch(`${plane.url}/v1/agents/hosted-models`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const rulesOf = async (id: string) =>
  (await plane.query('SELECT count(*)::integer AS n FROM sync_job_rules WHERE job_id = $1', [id]))[0]?.['n'];

/** Ends a job, so that the agent has room for another one. */
const end = (id: string) =>
  plane.query(
    `UPDATE sync_jobs SET status = 'failed', error_code = 'cancelled', completed_at = now(), lease_expires_at = NULL
     WHERE id = $1`,
    [id],
  );

describe('a job that is too large for one command', () => {
  it('is sent without its tables, which the agent fetches by their hash', async () => {
    const { id, hash, byteLength } = await running();
    const response = await fetchTables(id, hash);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, bytes.length]).toEqual([200, byteLength]);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
    expect(JSON.parse(bytes.toString())).toEqual(TABLES);
    expect((await fetchTables(id, '0'.repeat(64))).status).toBe(404);
  });

  it('waits for an agent that can fetch its tables', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const old = await startFakeAgent(plane, { orgId });
    await old.beat();
    const { body } = await plane.request('/v1/sync/jobs', { method: 'POST', body: JOB, token });
    expect(body['data']).toMatchObject({
      warnings: [
        { code: 'no_matching_agent', message: expect.stringContaining('too large for one command') },
      ],
    });
    expect(await old.pendingCommand()).toBeUndefined();
    await old.stop();
  });

  it('shows its tables, its subsets and its definition', async () => {
    const { id } = await running();
    expect(await call('GET', `/v1/sync/jobs/${id}`)).toMatchObject({
      tables: TABLES.map(({ name }) => name),
      subset: [{ name: 't120', where_length: 25, limit: 5 }],
      unlisted_columns: 'reject',
    });
    const { definition } = await call<{ definition: { tables: object[] } }>(
      'GET',
      `/v1/sync/jobs/${id}/definition`,
    );
    expect(definition.tables[1]).toEqual({ name: 't1', columns: { ...TABLES[1]?.columns, c: null } });
    expect(definition.tables).toHaveLength(TABLES.length);
  });

  it('runs again with the same tables', async () => {
    const { id, hash } = await running();
    const again = await call<Job>('POST', `/v1/sync/jobs/${id}/runs`);
    await agent.beat();
    const { fetchedTables } = (await commandFor(again.id)).value as { fetchedTables: { sha256: Uint8Array } };
    expect(Buffer.from(fetchedTables.sha256).toString('hex')).toBe(hash);
    const response = await fetchTables(again.id, hash);
    expect(JSON.parse(await response.text())).toEqual(TABLES);
    for (const one of [id, again.id]) await end(one);
  });

  it.each([
    [{ code: 'rule_invalid', tableIndex: 7, columnIndex: 2 }, 'c'],
    [{ code: 'where_column_not_found', tableIndex: 120, columnIndex: 4 }, 'age'],
  ])('names the column of a failure: %j', async (failure, column) => {
    const { id } = await running();
    const body = { type: 'failed', failure } as SyncJobEvent['body'];
    const events = plane.app.get(SyncJobEventsService, { strict: false });
    await events.apply({ jobId: id, epoch: 1, seq: 1, occurredAt: new Date(), body }, agent.id);
    const { error } = await call<Job>('GET', `/v1/sync/jobs/${id}`);
    expect(error?.message).toContain(`t${failure.tableIndex}`);
    expect(error?.message).toContain(`"${column}"`);
  });

  it('is deleted with its tables, which no agent can fetch after its end', async () => {
    const { id, hash } = await running();
    expect(await rulesOf(id)).toBe(TABLES.length);
    await end(id);
    expect((await fetchTables(id, hash)).status).toBe(404);
    await call('DELETE', `/v1/sync/jobs/${id}`);
    expect(await rulesOf(id)).toBe(0);
  });

  it('is refused if everything except its tables is too large for one command', async () => {
    const ignored = Array.from({ length: 10_000 }, (_, index) => `${'i'.repeat(55)}_${index}`);
    const options = {
      unlisted_tables: 'reject',
      ignored_tables: [...ignored.map((name) => `"S${name.slice(2)}".${name}`)],
    };
    const { status, body } = await plane.request('/v1/sync/jobs', {
      method: 'POST',
      body: { ...JOB, ...options },
    });
    expect([status, body['error']]).toMatchObject([422, { code: 'limit_exceeded' }]);
  });
});
