import { generateKeyPair } from '@understudy/agent-protocol/sealed-box';

import { modelFile, modelForm } from '../harness/model-files.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const CONSTANTS = ['Alicetown', 'Bobville', 'alice@example.com', 'it is a secret'];
const JOB = {
  name: 'shop',
  source: { type: 'postgresql', connection_string: 'agent:shop_production' },
  target: { type: 'postgresql', connection_string: 'agent:shop_staging' },
  tables: [
    {
      name: 'customers',
      columns: {
        city: { type: 'list', values: ['Alicetown', 'Bobville', 0.1] },
        note: { generator: 'template', pattern: "{{replace(uuid, 'it is a secret', '')}}" },
        price: { type: 'svc', algorithm: 'float_between', params: { min: 0.1, max: 2 } },
        id: { preserve: true },
      },
      subset: { where: "email = 'alice@example.com'", limit: 100 },
    },
    { name: 'orders', columns: {}, unlisted_columns: 'reject' },
  ],
  ...{ unlisted_columns: 'null', dry_run: false },
};

interface Job {
  readonly id: string;
  readonly run_of: string | null;
  readonly [field: string]: unknown;
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.addAgent({ sealingKey: (await generateKeyPair()).publicKey });
});
afterAll(() => plane?.stop());

const jobOf = ({ body }: Awaited<ReturnType<ControlPlane['request']>>) => body['data'] as unknown as Job;

type Options = Parameters<ControlPlane['request']>[1];

async function created(body: unknown): Promise<Job> {
  const response = await plane.request('/v1/sync/jobs', { method: 'POST', body });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return jobOf(response);
}

const runAgain = (id: string, options: Options = {}) =>
  plane.request(`/v1/sync/jobs/${id}/runs`, { method: 'POST', ...options });

/** Everything that is stored of the request of a job. */
async function stored(id: string) {
  const [row] = await plane.query(
    `SELECT name, source, target, definition::text, seed, reference_instant, requires, models, warnings
       FROM sync_jobs WHERE id = $1`,
    [id],
  );
  return row;
}

describe('a job that runs again', () => {
  it('has the same request with its constants, and no response, list or audit entry shows them', async () => {
    const first = await created(JOB);
    const response = await runAgain(first.id);
    expect(response.status).toBe(201);
    const again = jobOf(response);
    expect(response.headers.get('location')).toBe(`/v1/sync/jobs/${again.id}`);
    expect(again).toMatchObject({ name: 'shop', run_of: first.id, status: 'pending', seed: first['seed'] });
    expect(first.run_of).toBeNull();
    expect(await stored(again.id)).toEqual(await stored(first.id));
    const audit = await plane.query('SELECT action, details FROM audit_entries WHERE target_id = $1', [
      again.id,
    ]);
    expect(audit).toEqual([
      { action: 'sync_job.created', details: expect.objectContaining({ run_of: first.id, name: 'shop' }) },
    ]);
    const shown = await Promise.all(
      ['', '/definition', '/stored-data', '/tables'].map((path) =>
        plane.request(`/v1/sync/jobs/${again.id}${path}`),
      ),
    );
    const texts = [response, ...shown].map(({ text }) => text);
    for (const constant of CONSTANTS)
      expect([...texts, JSON.stringify(audit)].join('\n')).not.toContain(constant);
  });

  it('runs again and again, as a dry run if it is one', async () => {
    const first = await created({ ...JOB, dry_run: true });
    const second = jobOf(await runAgain(first.id));
    const third = jobOf(await runAgain(second.id));
    expect(third).toMatchObject({ run_of: second.id, dry_run: true });
    expect(await stored(third.id)).toEqual(await stored(first.id));
    await plane.query(
      "UPDATE sync_jobs SET status = 'failed', error_code = 'cancelled', completed_at = now() WHERE id = $1",
      [second.id],
    );
    await plane.request(`/v1/sync/jobs/${second.id}`, { method: 'DELETE' });
    expect((await plane.request(`/v1/sync/jobs/${third.id}`)).body['data']).toMatchObject({
      run_of: second.id,
    });
  });

  it('is one job for a repeated request with the same key', async () => {
    const { id } = await created(JOB);
    const headers = { 'Idempotency-Key': 'once' };
    const ids = [];
    for (let time = 0; time < 2; time += 1) ids.push(jobOf(await runAgain(id, { headers })).id);
    expect(new Set(ids).size).toBe(1);
  });

  it.each([
    ['source', { source: { type: 'postgresql', connection_string: 'postgresql://app:hunter2@db/shop' } }],
    ['target', { target: { type: 'postgresql', connection_string: 'postgresql://app:hunter2@db/shop' } }],
  ])('is refused if its %s is a URL', async (_, url) => {
    const { id } = await created({ ...JOB, ...url });
    const { status, body, text } = await runAgain(id);
    expect([status, body['error']]).toMatchObject([409, { code: 'conflict' }]);
    expect(text).toContain('connection URL');
    expect(text).not.toContain('hunter2');
  });

  it('is refused after retention has removed its rules', async () => {
    const { id } = await created(JOB);
    await plane.query('UPDATE sync_jobs SET definition_reduced_at = now() WHERE id = $1', [id]);
    const { status, body } = await runAgain(id);
    expect([status, body['error']]).toMatchObject([
      409,
      { code: 'conflict', message: expect.stringContaining('Send the whole request') },
    ]);
  });

  it('is checked like a new request: a model that was deleted is named', async () => {
    await plane.request('/v1/models', { method: 'POST', body: modelForm({ file: modelFile() }) });
    const tables = [{ name: 't', columns: { c: { generator: 'custom/names' } } }];
    const { id } = await created({ ...JOB, tables });
    expect((await runAgain(id)).status).toBe(201);
    await plane.request('/v1/models/custom/names', { method: 'DELETE' });
    const { status, body } = await runAgain(id);
    expect([status, body['error']]).toMatchObject([
      422,
      { code: 'validation_error', details: [{ field: 'tables[0].columns.c.generator' }] },
    ]);
  });

  it('is found only in its organisation, and needs the role and the scope of a new job', async () => {
    const { id } = await created(JOB);
    const other = await plane.addToken({ orgId: await plane.addOrganization() });
    expect((await runAgain(id, { token: other.token })).status).toBe(404);
    expect((await runAgain('job_01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(404);
    for (const options of [{ role: 'viewer' as const }, { scopes: ['jobs:read' as const] }]) {
      const { token } = await plane.addToken(options);
      expect((await runAgain(id, { token })).status).toBe(403);
    }
    expect((await runAgain(id, { body: { dry_run: true } })).status).toBe(422);
  });
});
