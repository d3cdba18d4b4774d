import {
  startControlPlane,
  type ApiResponse,
  type ControlPlane,
} from '../integration/harness/start-control-plane.js';

const STATES = ['pending', 'running', 'completed', 'failed'] as const;
const SOURCE = 'postgresql://app:secret-of-source@source.example:5432/shop';
const TARGET = 'postgresql://app:secret-of-target@target.example:5432/shop';

const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: SOURCE },
  target: { type: 'postgresql', connection_string: TARGET },
  tables: [
    {
      name: 'customers',
      columns: {
        id: { preserve: true },
        first_name: { generator: 'en_US/first_names' },
        email: { generator: 'template', pattern: '{{uuid}}@example.com' },
      },
    },
    { name: 'orders', columns: {} },
  ],
};

type Job = Record<string, unknown> & { id: string };

let plane: ControlPlane;
const jobs = {} as Record<(typeof STATES)[number], string>;

beforeAll(async () => {
  plane = await startControlPlane();
  await plane.addAgent(); // a URL can be sealed only if there is an agent
  for (const state of STATES) {
    jobs[state] = dataOf<Job>(await post()).id;
    await plane.query(
      `UPDATE sync_jobs SET status = $2,
         started_at = CASE WHEN $2 <> 'pending' THEN now() - interval '90 s' END,
         completed_at = CASE WHEN $2 IN ('completed', 'failed') THEN now() END,
         error_code = CASE WHEN $2 = 'failed' THEN 'internal' END
       WHERE id = $1`,
      [jobs[state], state],
    );
  }
});
afterAll(() => plane?.stop());

const post = (body: unknown = JOB) => plane.request('/v1/sync/jobs', { method: 'POST', body });
function dataOf<T>(response: ApiResponse): T {
  const { data } = response.body as unknown as { data: T };
  if (data === undefined) throw new Error(response.text);
  return data;
}
const list = async (query = '?per_page=100') =>
  dataOf<{ jobs: Job[]; total: number }>(await plane.request(`/v1/sync/jobs${query}`)).jobs;
const listed = async (state: (typeof STATES)[number]) => {
  const job = (await list()).find(({ id }) => id === jobs[state]);
  if (job === undefined) throw new Error(`the ${state} job is not in the list`);
  return job;
};
const withRule = (rule: unknown) =>
  post({ ...JOB, tables: [{ name: 'customers', columns: { email: rule } }] });

it('[2.2/1, 2.2/2, 2.2/7, 2.2/8, 2.2/9] A job has id (`job_<id>`), name, status, source, target, tables, rows_processed, started_at and completed_at in the list', async () => {
  expect(await listed('completed')).toMatchObject({
    id: expect.stringMatching(/^job_/),
    name: 'nightly',
    status: 'completed',
    source: expect.any(String),
    target: expect.any(String),
    tables: expect.any(Array),
    rows_processed: 0,
    started_at: expect.stringMatching(/^\d{4}-.*Z$/),
    completed_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const { started_at, completed_at } = await listed('completed');
  expect(Date.parse(String(completed_at)) - Date.parse(String(started_at))).toBe(90_000);
  expect(await listed('running')).toMatchObject({ started_at: expect.any(String), completed_at: null });
  expect(await listed('pending')).toMatchObject({ started_at: null, completed_at: null });
});

it('[2.2/4, 2.2/5] source and target of the list view are connection URLs as strings', async () => {
  expect(await listed('pending')).toMatchObject({
    source: 'postgresql://app:***@source.example:5432/shop',
    target: 'postgresql://app:***@target.example:5432/shop',
  });
});

it('[2.2/6] tables of the list view is an array of table names', async () => {
  expect((await listed('pending'))['tables']).toEqual(['customers', 'orders']);
});

it('[2.2/11, 2.2/12, 2.2/13, 2.2/14, 4.4/5] The create payload is name, source and target { type, connection_string }, and tables [{ name, columns }]', async () => {
  const response = await post();
  expect([response.status, dataOf(response)]).toEqual([201, expect.objectContaining({ name: 'nightly' })]);
  for (const field of ['name', 'source', 'target', 'tables']) {
    const refused = await post({ ...JOB, [field]: undefined });
    expect([refused.status, refused.body]).toMatchObject([422, { error: { details: [{ field }] } }]);
  }
});

it('[2.2/12, 2.2/17] postgresql is a type of source and target', async () => {
  expect((await post()).status).toBe(201);
  const other = await post({ ...JOB, source: { ...JOB.source, type: 'mysql' } });
  expect([other.status, other.body]).toMatchObject([422, { error: { details: [{ field: 'source.type' }] } }]);
});

it('[2.2/15, 2.2/16] A column rule may be `{ generator: <model id> }`', async () => {
  expect((await withRule({ generator: 'en_US/first_names' })).status).toBe(201);
  expect((await withRule({ generator: 'en_US/nothing' })).status).toBe(422);
});

it('[2.2/16] A column rule may be { generator: "template", pattern }, with {{uuid}} for one', async () => {
  expect((await withRule({ generator: 'template', pattern: '{{uuid}}@example.com' })).status).toBe(201);
  expect((await withRule({ generator: 'template' })).status).toBe(422);
});

it('[2.2/16] A column rule may be { preserve: true }', async () => {
  expect((await withRule({ preserve: true })).status).toBe(201);
  expect((await withRule({ preserve: false })).status).toBe(422);
});

it('[2.2/3, 3/1] The status of a sync job is pending, running, completed or failed', async () => {
  const seen = await Promise.all(STATES.map(async (state) => (await listed(state))['status']));
  expect(seen).toEqual(STATES);
});

it('[4.4/1, 4.4/3] GET /sync/jobs answers { jobs }', async () => {
  expect(dataOf(await plane.request('/v1/sync/jobs'))).toMatchObject({ jobs: expect.any(Array) });
});

it('[4.4/2] status filters by each of the four states', async () => {
  for (const state of STATES) {
    const found = await list(`?status=${state}&per_page=100`);
    expect(found.map(({ id }) => id)).toContain(jobs[state]);
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([state]));
  }
  expect((await plane.request('/v1/sync/jobs?status=cancelled')).status).toBe(422);
});

it('[4.4/2] page and per_page are integers that page the list', async () => {
  const ids = (await list()).map(({ id }) => id);
  const pages = [...(await list('?per_page=2&page=1')), ...(await list('?per_page=2&page=2'))];
  expect(pages.map(({ id }) => id)).toEqual(ids.slice(0, 4));
  for (const query of ['page=x', 'per_page=1.5'])
    expect((await plane.request(`/v1/sync/jobs?${query}`)).status).toBe(422);
});

it('[4.4/4, 4.4/6] POST /sync/jobs creates a job', async () => {
  const response = await post();
  const { id } = dataOf<Job>(response);
  expect([response.status, response.headers.get('location')]).toEqual([201, `/v1/sync/jobs/${id}`]);
  expect((await list()).map((job) => job.id)).toContain(id);
});

it('[4.4/7, 4.4/8] GET /sync/jobs/:id shows a job', async () => {
  const shown = await plane.request(`/v1/sync/jobs/${jobs.completed}`);
  // Only a running job of a list has a progress.
  const { progress, ...fields } = await listed('completed');
  expect(progress).toBeNull();
  expect([shown.status, dataOf(shown)]).toMatchObject([200, fields]);
  expect((await plane.request('/v1/sync/jobs/job_00000000000000000000000000')).status).toBe(404);
});

it('[4.4/9, 4.4/10] DELETE /sync/jobs/:id cancels a job that has not ended, and deletes one that has', async () => {
  const { id } = dataOf<Job>(await post());
  const remove = () => plane.request(`/v1/sync/jobs/${id}`, { method: 'DELETE' });
  const cancelled = await remove();
  expect([cancelled.status, dataOf(cancelled)]).toEqual([
    202,
    { id, status: 'failed', cancelled: true, deleted: false },
  ]);
  expect(dataOf(await plane.request(`/v1/sync/jobs/${id}`))).toMatchObject({
    status: 'failed',
    error: { code: 'cancelled' },
  });
  const deleted = await remove();
  expect([deleted.status, dataOf(deleted)]).toEqual([200, { id, deleted: true, cancelled: false }]);
  expect((await remove()).status).toBe(404);
});
