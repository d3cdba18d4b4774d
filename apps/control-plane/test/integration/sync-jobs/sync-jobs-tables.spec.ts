import type { SyncJobEvent } from '@understudy/agent-protocol';

import { SyncJobEventsService } from '../../../src/jobs/sync-jobs/events/sync-job-events.service.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const TABLES = 10_000;
const KIB = 1_024;

interface Table {
  position: number;
  name: string;
  status: string;
  rows_processed: number;
}
interface Page {
  tables: Table[];
  revision: number;
  total: number;
}

let plane: ControlPlane;
let events: SyncJobEventsService;
beforeAll(async () => {
  plane = await startControlPlane();
  events = plane.app.get(SyncJobEventsService, { strict: false });
});
afterAll(() => plane?.stop());

let jobs = 0;

/** Inserts a running job that an agent holds. The names have the largest number of bytes. */
async function runningJob(tables: number) {
  const id = `job_${String((jobs += 1)).padStart(26, '0')}`;
  const agentId = await plane.addAgent({ orgId: plane.orgId });
  const name = `'public.t' || lpad(i::text, 62, '0')`;
  await plane.query(
    `INSERT INTO sync_jobs (id, organization_id, name, source_display, target_display, source, target, definition,
        seed, reference_instant, status, started_at, agent_id, epoch, attempts, leased_at, lease_expires_at)
      SELECT $1, $2, 'large', 'agent:a', 'agent:b', '{"kind":"agent","name":"a"}', '{"kind":"agent","name":"b"}',
        json_build_object('unlistedColumns', 'preserve', 'tables',
          (SELECT json_agg(json_build_object('name', ${name}, 'columns', '[]'::json)) FROM generate_series(1, $4) i)),
        1, now(), 'running', now(), $3, 1, 1, now(), now() + interval '1 day'`,
    [id, plane.orgId, agentId, tables],
  );
  await plane.query(
    `INSERT INTO sync_job_tables (job_id, position, name) SELECT $1, i - 1, ${name} FROM generate_series(1, $2) i`,
    [id, tables],
  );
  let seq = 0;
  const report = (positions: readonly number[], rowsProcessed: number, state: 'copying' | 'completed') => {
    const counts = {
      rowsProcessed,
      rowsTotal: 900_000_000,
      bytesProcessed: 9_000_000_000,
      bytesTotal: 9e10,
      state,
    };
    const event: SyncJobEvent = {
      ...{ jobId: id, epoch: 1, seq: (seq += 1), occurredAt: new Date() },
      body: {
        ...{ type: 'progress', phase: 'copying', rowsPerSecond: 1_000_000, bytesPerSecond: 100_000_000 },
        tables: positions.map((tableIndex) => ({ tableIndex, ...counts })),
      },
    };
    return events.apply(event, agentId);
  };
  const list = async (query = ''): Promise<Page & { bytes: number }> => {
    const { body, text, status } = await plane.request(`/v1/sync/jobs/${id}/tables${query}`);
    expect([query, status]).toEqual([query, 200]);
    return { ...(body as unknown as { data: Page }).data, bytes: Buffer.byteLength(text) };
  };
  return { id, report, list };
}

const positions = ({ tables }: Page) => tables.map(({ position }) => position);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('the tables of a job', () => {
  it('are listed in pages, filtered and sorted', async () => {
    const { report, list } = await runningJob(5);
    await report([1], 10, 'copying');
    await report([3], 20, 'completed');
    await report([4], 30, 'copying');
    expect(positions(await list())).toEqual([0, 1, 2, 3, 4]);
    expect(await list('?page=2&per_page=2')).toMatchObject({
      total: 5,
      tables: [{ position: 2 }, { position: 3 }],
    });
    expect(await list('?page=4&per_page=2')).toMatchObject({ total: 5, tables: [] });
    expect(positions(await list('?status=copying'))).toEqual([1, 4]);
    expect(positions(await list('?sort=-position'))).toEqual([4, 3, 2, 1, 0]);
    expect(positions(await list('?sort=-rows_processed'))).toEqual([4, 3, 1, 0, 2]);
    // Tables that no agent has inspected come last in both directions.
    expect(positions(await list('?sort=bytes_remaining'))).toEqual([1, 3, 4, 0, 2]);
    expect(positions(await list('?sort=-bytes_remaining'))).toEqual([1, 3, 4, 0, 2]);
  });

  it.each([
    ['changed_since=-1', 'changed_since'],
    ['changed_since=1.5', 'changed_since'],
    ['changed_since=9000000000000000', 'changed_since'],
    ['changed_since=0&page=2', 'page'],
    ['changed_since=0&sort=name', 'sort'],
    ['status=failed', 'status'],
    ['sort=size', 'sort'],
    ['per_page=101', 'per_page'],
  ])('are refused for ?%s', async (query, field) => {
    const { id } = await runningJob(1);
    const response = await plane.request(`/v1/sync/jobs/${id}/tables?${query}`);
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ error: { details: [expect.objectContaining({ field })] } });
  });

  it('accept the highest revision', async () => {
    const { list } = await runningJob(1);
    expect(await list('?changed_since=8999999999999999&page=1')).toMatchObject({ tables: [], revision: 0 });
  });

  it('are not found for another organisation', async () => {
    const { id } = await runningJob(1);
    const { token } = await plane.addToken({ orgId: await plane.addOrganization() });
    expect((await plane.request(`/v1/sync/jobs/${id}/tables`, { token })).status).toBe(404);
  });

  it('that changed after a revision are listed once, in the order of their changes', async () => {
    const { report, list } = await runningJob(300);
    const { revision } = await list();
    expect(await list(`?changed_since=${revision}`)).toMatchObject({ tables: [], total: 0, revision });
    await report(range(0, 150), 1, 'copying');
    await report([7], 2, 'completed');
    const first = await list(`?changed_since=${revision}&per_page=100`);
    expect([first.total, first.tables.length]).toEqual([150, 100]);
    const second = await list(`?changed_since=${first.revision}&per_page=100`);
    expect([...positions(first), ...positions(second)]).toEqual([...range(0, 7), ...range(8, 150), 7]);
    expect(second.tables.at(-1)).toMatchObject({ position: 7, status: 'completed', rows_processed: 2 });
    expect(await list(`?changed_since=${second.revision}`)).toMatchObject({ tables: [], total: 0 });
  });

  it('are followed without a missed change while events are written concurrently', async () => {
    const { report, list } = await runningJob(60);
    const seen = new Map<number, number>();
    let { revision } = await list('?per_page=100');
    let isDone = false;
    const follow = async () => {
      for (let poll = 0; poll < 2_000; poll += 1) {
        const wasDone = isDone;
        const page = await list(`?changed_since=${revision}&per_page=7`);
        for (const { position, rows_processed } of page.tables) seen.set(position, rows_processed);
        revision = page.revision;
        if (wasDone && page.tables.length === 0) return;
      }
      throw new Error('expected the changes to end within 2,000 calls');
    };
    const following = follow();
    for (let round = 1; round <= 5; round += 1)
      await Promise.all(range(0, 12).map((part) => report(range(part * 5, part * 5 + 5), round, 'copying')));
    isDone = true;
    await following;
    const { tables } = await list('?per_page=100');
    expect(Object.fromEntries(seen)).toEqual(
      Object.fromEntries(
        tables.flatMap(({ position, rows_processed }) =>
          rows_processed > 0 ? [[position, rows_processed]] : [],
        ),
      ),
    );
    expect(seen.size).toBeGreaterThan(0);
  });

  it('of a job with 10,000 tables move at most 50 KiB a second to a page that polls each second', async () => {
    const { id, report, list } = await runningJob(TABLES);
    const seen = new Set<number>();
    let { revision } = await list('?per_page=100');
    let largest = 0;
    for (let second = 0; second < 12; second += 1) {
      // In each second, 400 small tables are completed and 100 others begin: more than one call returns.
      await report(range(second * 400, second * 400 + 400), 1_000_000, 'completed');
      await report(range(second * 400 + 400, second * 400 + 500), second, 'copying');
      const job = await plane.request(`/v1/sync/jobs/${id}?tables=none`);
      expect(job.body).toMatchObject({
        data: { status: 'running', tables: [], table_progress: [], table_count: TABLES },
      });
      const page = await list(`?changed_since=${revision}&per_page=100`);
      expect(page.tables).toHaveLength(100);
      revision = page.revision;
      for (const position of positions(page)) seen.add(position);
      largest = Math.max(largest, Buffer.byteLength(job.text) + page.bytes);
    }
    expect(largest).toBeLessThanOrEqual(50 * KIB);
    for (let rest = await list(`?changed_since=${revision}&per_page=100`); rest.tables.length > 0;) {
      for (const position of positions(rest)) seen.add(position);
      rest = await list(`?changed_since=${rest.revision}&per_page=100`);
    }
    expect(seen.size).toBe(12 * 400 + 100);
  });
});
