import { waitFor } from '@understudy/testing';

import { RetentionService } from '../../../src/retention/retention.service.js';
import { ADD_CALLS } from '../../../src/accounts/usage/usage.sql.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { call, makeEndpoint } from '../mock-endpoints/mock-harness.js';

const JOB = {
  name: 'counted',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};

interface Usage {
  readonly first_day: string;
  readonly last_day: string;
  readonly days: { day: string; api_calls: number; sync_jobs: number; mock_calls: number }[];
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ usage: { flushMs: 100 }, mockEndpoints: { flushMs: 100 } });
});
afterAll(() => plane?.stop());

/** Returns the UTC day that is this number of days before today. */
const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

async function organization() {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  return {
    orgId,
    token,
    ask: (query = '') => plane.request(`/v1/usage${query}`, { token }),
    usage: async (query = '') =>
      ((await plane.request(`/v1/usage${query}`, { token })).body as unknown as { data: Usage }).data,
    post: async (body: unknown) => {
      const made = await plane.request('/v1/sync/jobs', { method: 'POST', token, body });
      expect(made.status).toBe(201);
      return (made.body as unknown as { data: { id: string } }).data.id;
    },
    /** Returns the sum over the days that the test can run on. */
    total: async (metric: string) => {
      const [row] = await plane.query(
        `SELECT coalesce(sum(used), 0)::int AS used FROM usage_days WHERE organization_id = $1 AND metric = $2`,
        [orgId, metric],
      );
      return row?.['used'];
    },
  };
}

describe('GET /v1/usage', () => {
  it('counts the API calls, jobs and mock calls of the organisation on the day on which they happen', async () => {
    const [org, other] = [await organization(), await organization()];
    const { url } = await makeEndpoint(plane, {}, org.token);
    for (let i = 0; i < 4; i += 1) expect((await call(plane, url)).status).toBe(200);
    const id = await org.post(JOB);
    await org.post({ ...JOB, dry_run: true });
    expect(
      (await plane.request('/v1/sync/jobs', { method: 'POST', token: org.token, body: {} })).status,
    ).toBe(422);
    await plane.query(`DELETE FROM sync_jobs WHERE id = $1`, [id]);
    await waitFor(
      'all counts',
      async () => (await org.total('mock_calls')) === 4 && (await org.total('api_calls')) === 4,
    );
    // Midnight can separate the calls, so the last two days count.
    const { days } = await org.usage(`?first_day=${ago(1)}`);
    const sum = (metric: 'api_calls' | 'sync_jobs' | 'mock_calls') =>
      days.reduce((all, day) => all + day[metric], 0);
    expect([sum('sync_jobs'), sum('mock_calls')]).toEqual([1, 4]);
    expect(sum('api_calls')).toBeGreaterThanOrEqual(4);
    expect(await other.total('mock_calls')).toBe(0);
    const [month] = await plane.query(
      `SELECT sum(used)::int AS used FROM usage_counters WHERE organization_id = $1 AND metric = 'sync_jobs'`,
      [org.orgId],
    );
    expect(month?.['used']).toBe(1);
  });

  it('shows every day of the range, also days without a count; by default, the last 30 days', async () => {
    const org = await organization();
    await plane.query(
      `INSERT INTO usage_days VALUES ($1, '${ago(29)}', 'sync_jobs', 3), ($1, '${ago(30)}', 'sync_jobs', 5)`,
      [org.orgId],
    );
    const today = ago(0);
    const { first_day: first, last_day: last, days } = await org.usage(`?last_day=${today}`);
    expect([first, last, days.length]).toEqual([ago(29), today, 30]);
    expect(days[0]).toEqual({ day: ago(29), api_calls: 0, sync_jobs: 3, mock_calls: 0 });
    expect(days.map(({ day }) => day)).toEqual(Array.from({ length: 30 }, (_, i) => ago(29 - i)));
    expect((await org.usage(`?first_day=${ago(30)}&last_day=${ago(30)}`)).days).toEqual([
      { day: ago(30), api_calls: 0, sync_jobs: 5, mock_calls: 0 },
    ]);
    expect((await org.usage()).days).toHaveLength(30);
  });

  it('shows 92 days, and refuses 93', async () => {
    const org = await organization();
    expect((await org.usage(`?first_day=${ago(91)}&last_day=${ago(0)}`)).days).toHaveLength(92);
    const { status, body } = await org.ask(`?first_day=${ago(92)}&last_day=${ago(0)}`);
    const message = 'expected a range of at most 92 days, got 93 days';
    expect([status, body]).toMatchObject([422, { error: { details: [{ field: 'last_day', message }] } }]);
  });

  it('shows days for as long as they are kept, and refuses earlier ones', async () => {
    const org = await organization();
    // Midnight may pass during the test, so the day at the limit is not requested.
    expect((await org.ask(`?first_day=${ago(398)}&last_day=${ago(390)}`)).status).toBe(200);
    const { status, body } = await org.ask(`?first_day=${ago(400)}&last_day=${ago(390)}`);
    expect([status, body]).toMatchObject([422, { error: { details: [{ field: 'first_day' }] } }]);
  });

  it.each([
    ['?first_day=2026-1-1', 'first_day'],
    ['?first_day=2026-02-30', 'first_day'],
    ['?last_day=2026-02-30', 'last_day'],
    ['?first_day=2026-02-02&last_day=2026-02-01', 'last_day'],
    ['?last_day=2026-02-01T00:00:00Z', 'last_day'],
  ])('refuses the range %s', async (query, field) => {
    const { status, body } = await (await organization()).ask(query);
    expect([status, body]).toMatchObject([422, { error: { details: [{ field }] } }]);
  });
});

describe('the counts of days', () => {
  it("count a batch once if the result of its commit is lost, as the month's count does", async () => {
    const org = await organization();
    const batch = [
      'by-day',
      1,
      [org.orgId, org.orgId, org.orgId],
      ['2026-01', '2026-01-30', '2026-01-31'],
      [5, 2, 3],
    ];
    await plane.query(ADD_CALLS, batch);
    await plane.query(ADD_CALLS, batch);
    const days = await plane.query(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, used::int AS used FROM usage_days WHERE organization_id = $1 ORDER BY day`,
      [org.orgId],
    );
    expect(days).toEqual([
      { day: '2026-01-30', used: 2 },
      { day: '2026-01-31', used: 3 },
    ]);
    const months = await plane.query(
      'SELECT period, used::int AS used FROM usage_counters WHERE organization_id = $1',
      [org.orgId],
    );
    expect(months).toEqual([{ period: '2026-01', used: 5 }]);
  });

  it('are deleted after 400 days', async () => {
    const org = await organization();
    await plane.query(
      `INSERT INTO usage_days SELECT $1, (now() AT TIME ZONE 'UTC')::date - days, 'api_calls', days
       FROM unnest(ARRAY[399, 400, 402, 500]) AS days`,
      [org.orgId],
    );
    await plane.app.get(RetentionService, { strict: false }).sweep();
    const kept = await plane.query(
      'SELECT used::int AS days FROM usage_days WHERE organization_id = $1 ORDER BY used',
      [org.orgId],
    );
    expect(kept).toEqual([{ days: 399 }, { days: 400 }]);
  });
});
