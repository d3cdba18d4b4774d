import { waitFor } from '@understudy/testing';
import type { Page } from 'playwright-core';

import { describeDashboard } from '../harness/dashboard-test.js';
import { seedAgent, seededAttempt, seedJob } from '../harness/seed-jobs.js';

const TABLES = 10_000;
const KIB = 1_024;
/** The polls that a test waits for. Each follows at least one second after the one before. */
const POLLS = 2;

/** Counts the bytes on the wire of each response of the API, by the path of the request. */
async function countBytes(page: Page): Promise<{ readonly path: string; readonly bytes: number }[]> {
  const devtools = await page.context().newCDPSession(page);
  const responses: { path: string; bytes: number }[] = [];
  const paths = new Map<string, string>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/dashboard/v1/')) paths.set(requestId, pathname);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId);
    if (path !== undefined) responses.push({ path, bytes: encodedDataLength });
  });
  await devtools.send('Network.enable');
  return responses;
}

describeDashboard('the page of a running job', (dashboard) => {
  let id = '';
  const control = () => dashboard().organization.databases.control;

  /** Reports progress of 500 tables, as an agent that copies small tables does. */
  const report = async (round: number) => {
    await control().query(
      `WITH job AS (UPDATE sync_jobs SET revision = revision + 500 WHERE id = $1 RETURNING revision)
       UPDATE sync_job_tables SET status = 'completed', rows_processed = 900000000, rows_total = 900000000,
         bytes_processed = 9000000000, bytes_total = 9000000000, revision = job.revision - 500 + position % 500 + 1
       FROM job WHERE job_id = $1 AND position BETWEEN $2 AND $2 + 499`,
      [id, round * 500],
    );
  };

  beforeAll(async () => {
    await seedAgent(dashboard());
    id = await seedJob(dashboard(), {
      number: 1,
      ...{ name: 'Large', status: 'running' },
      tables: Array.from({ length: TABLES }, (_, index) => ({
        name: `table_${String(index).padStart(57, '0')}`,
      })),
      columns: {
        pace: { phase: 'copying', rowsPerSecond: 1_000_000, bytesPerSecond: 1e8, estimatedEnd: null },
        attempt_history: [seededAttempt(1, new Date(), [['copying', null]], null)],
      },
    });
  });

  it('moves at most 50 KiB a second while 10,000 tables are copied', async () => {
    const page = await dashboard().open(`/sync-jobs/${id}?tab=tables`, { browser: {} });
    await page.getByText('10,000 tables', { exact: true }).waitFor();
    await page.getByText('table_0').first().waitFor();
    const responses = await countBytes(page);
    const isPoll = ({ path }: { path: string }) => path.endsWith('/tables');
    const changes = () => responses.filter(isPoll).length;
    for (let round = 0; round < POLLS; round++) {
      await report(round);
      const before = changes();
      while (changes() === before)
        await page.waitForResponse((response) => response.url().includes('changed_since'));
    }
    const largest = (which: (response: { path: string }) => boolean) =>
      Math.max(...responses.filter(which).map(({ bytes }) => bytes));
    const [tables, job] = [largest(isPoll), largest((response) => !isPoll(response))];
    expect(tables).toBeGreaterThan(KIB); // the changes were there
    expect(tables + job).toBeLessThanOrEqual(50 * KIB);
    await page
      .getByText(/^[1-9]\d* %$/)
      .or(page.getByText('Completed', { exact: true }))
      .first()
      .waitFor();
  });

  it('loads the tables beyond the first page while the reader scrolls', async () => {
    const page = await dashboard().open(`/sync-jobs/${id}?tab=tables&sort=name`);
    await page.getByText('table_0').first().waitFor();
    const next = page.waitForResponse((response) => response.url().includes('page=2'));
    await page.mouse.move(600, 600);
    await page.mouse.wheel(0, 20_000);
    await next;
    await page
      .getByText(/table_0+1\d\d$/)
      .first()
      .waitFor();
  });

  it('changes api_calls by 0', async () => {
    // The control plane adds calls to the stored count later, all of them together.
    const used = async () => {
      const { rows } = await control().query(
        `SELECT coalesce(sum(used), 0)::integer AS used FROM usage_counters WHERE metric = 'api_calls'`,
      );
      return Number(rows[0]?.['used']);
    };
    const before = await used();
    const page = await dashboard().open(`/sync-jobs/${id}?tab=tables`);
    for (let poll = 0; poll < POLLS; poll++)
      await page.waitForResponse((response) => response.url().includes('changed_since'));
    for (const own of [1, 2]) {
      await dashboard().call('GET', '/org');
      await waitFor('the count of API calls', async () => (await used()) >= before + own);
    }
    expect((await used()) - before).toBe(2);
  });
});
