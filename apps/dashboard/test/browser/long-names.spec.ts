import type { Locator } from 'playwright-core';

import { describeDashboard } from '../harness/dashboard-test.js';
import { checkNoSidewaysScrolling } from '../harness/page-checks.js';
import { AGENT_ID, seedAgent, seedJob } from '../harness/seed-jobs.js';

/** The API allows shorter names. Names of tables can be as long as this. The end turns the order of text around. */
const NAME = `long-${'x'.repeat(9_970)} \u202Eتقرير العملاء 2026`;

describeDashboard('names', (dashboard) => {
  /** Gives `NAME` to one thing of each kind. @returns the paths of the screens that show it */
  const seed = async (): Promise<readonly string[]> => {
    const { control } = dashboard().organization.databases;
    await seedAgent(dashboard());
    const job = await seedJob(dashboard(), {
      ...{ number: 1, name: NAME, status: 'completed' },
      tables: [
        { name: NAME, rules: { [NAME]: { generator: 'template', pattern: NAME } }, subset: { where: NAME } },
      ],
      columns: { source_display: NAME, target_display: NAME },
    });
    await dashboard().call('POST', '/tokens', { name: 'ci', role: 'viewer', expires_in_days: 30 });
    const { id: mock } = await dashboard().call<{ id: string }>('POST', '/mock/endpoints', {
      ...{ path: '/names', method: 'GET', auth: 'none', response: { count: 2 } },
      schema: { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] },
    });
    for (const kind of ['agents', 'organizations', 'api_tokens'])
      await control.query(`UPDATE ${kind} SET name = $1`, [NAME]);
    await control.query(`UPDATE mock_endpoints SET path = '/' || $1`, [NAME]);
    return [
      ...['/', '/agents', `/agents/${AGENT_ID}`, '/api-keys', '/audit-log', '/mock-endpoints'],
      ...[`/mock-endpoints/${mock}`, '/sync-jobs', `/sync-jobs/${job}`, `/sync-jobs/new?from=${job}`],
    ];
  };
  /** Returns the right edge of an element in pixels. */
  const rightOf = async (element: Locator) => {
    await element.waitFor();
    const { x, width } = (await element.boundingBox()) ?? { x: 0, width: Infinity };
    return x + width;
  };

  it('of 10,000 characters fit into each screen', async () => {
    const paths = await seed();
    const page = await dashboard().open('/');
    for (const path of paths) {
      await page.goto(`${dashboard().url}/dashboard${path}`);
      await page
        .getByRole('main')
        .getByText(NAME.slice(0, 20))
        .or(page.locator(`input[value="${NAME}"]`))
        .first()
        .waitFor();
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await checkNoSidewaysScrolling(page);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.goto(`${dashboard().url}/dashboard/agents`);
    expect(await rightOf(page.getByRole('columnheader', { name: 'Databases' }))).toBeLessThanOrEqual(1280);
    const sidebar = await rightOf(page.getByRole('banner'));
    expect(await rightOf(page.getByRole('radio', { name: 'Dark' }))).toBeLessThanOrEqual(sidebar);
  });
});
