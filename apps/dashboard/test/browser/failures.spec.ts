import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';

const LIST = '**/dashboard/v1/mock/endpoints?*';

describeDashboard('a failed call', (dashboard) => {
  /** Opens a page whose list is refused, as the API refuses it. */
  const openRefused = async (status: number, code: string, headers: Record<string, string> = {}) => {
    const page = await dashboard().open('/');
    await page.route(LIST, (route) =>
      route.fulfill({
        status,
        headers,
        json: {
          error: { code, message: 'The server reports this.' },
          meta: { request_id: 'req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E', timestamp: '2026-11-25T10:00:00.000Z' },
        },
      }),
    );
    await page.getByRole('navigation').getByRole('link', { name: 'Mock endpoints' }).click();
    return page;
  };
  const retry = (page: Page) => page.getByRole('button', { name: 'Try again' });

  it('shows what happened and what to do', async () => {
    const page = await openRefused(500, 'internal_error');
    const notice = page.getByRole('alert').filter({ hasText: 'The server failed' });
    await notice.waitFor();
    await notice.getByText('The server reports this.').waitFor();
    await notice.getByText('send the request id to the operator').waitFor();
    await notice.getByText('req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E').waitFor();
    await page.unroute(LIST);
    await retry(page).click();
    await notice.waitFor({ state: 'detached' });
  });

  it('with the status 429 shows how long to wait', async () => {
    const page = await openRefused(429, 'rate_limit_exceeded', { 'retry-after': '30' });
    await page.getByRole('alert').getByText('Wait for 30 seconds. Then try again.').waitFor();
  });

  it('with the status 503 keeps its notice until the server is back, and then shows the list', async () => {
    const page = await openRefused(503, 'unavailable');
    const notice = page.getByRole('alert').filter({ hasText: 'The server is not ready' });
    await notice.waitFor();
    await page.route('**/dashboard/session', (route) => route.abort('connectionrefused'));
    const check = page.waitForEvent('requestfailed');
    await notice.evaluate((element) => (element.id = 'same-notice'));
    await check;
    await page.locator('#same-notice').waitFor();
    await page.unroute('**/dashboard/session');
    await page.unroute(LIST);
    await page.getByText('No mock endpoint yet').waitFor();
    await notice.waitFor({ state: 'detached' });
  });

  it('shows that the server cannot be reached, or that the device is offline', async () => {
    const page = await dashboard().open('/', { browser: {} });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.route(LIST, (route) => route.abort('connectionrefused'));
    await page.getByRole('navigation').getByRole('link', { name: 'Mock endpoints' }).click();
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await page.unroute(LIST);
    await page.context().setOffline(true);
    await retry(page).click();
    await page.getByRole('alert').getByText('You are offline').waitFor();
    await page.context().setOffline(false);
    await retry(page).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('of the session itself shows a page with a way to try again', async () => {
    const page = await dashboard().open('/sign-in');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.route('**/dashboard/session', (route) => route.abort('connectionrefused'));
    await page.reload();
    await page.getByRole('heading', { name: 'This page failed' }).waitFor();
    await page.getByText('The server cannot be reached').waitFor();
    await page.unroute('**/dashboard/session');
    await retry(page).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('of the code of a page stays in the application, and another attempt loads the page', async () => {
    const page = await dashboard().open('/', { browser: {} });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const url = '**/dashboard/**';
    await page.route(url, (route) => route.abort('connectionrefused'));
    await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'This page could not be loaded' });
    await notice.waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).waitFor();
    await checkAccessibility(page, 'page not loaded');
    const probe = page.waitForEvent('requestfailed');
    await retry(page).click();
    await probe;
    await notice.waitFor();
    await page.unroute(url);
    await retry(page).click();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  });

  it('of the code of a part keeps the rest of the page, and another attempt loads the part', async () => {
    const page = await dashboard().open('/', { browser: {} });
    await page.route('**/schema-editor-*.js', (route) => route.abort('connectionrefused'));
    await page.getByRole('navigation').getByRole('link', { name: 'Playground' }).click();
    await page.getByText('This part of the page could not be loaded').waitFor();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    await page.getByText('20 records in').waitFor();
    await page.unroute('**/schema-editor-*.js');
    await retry(page).click();
    await page.getByRole('textbox', { name: 'Schema as JSON' }).waitFor();
  });

  it('does not hide a page while a slow call runs', async () => {
    const page = await dashboard().open('/');
    let answer = (): void => undefined;
    const released = new Promise<void>((resolve) => (answer = resolve));
    await page.route(LIST, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('navigation').getByRole('link', { name: 'Mock endpoints' }).click();
    await page.getByRole('heading', { name: 'Mock endpoints', level: 1 }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor();
    answer();
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' });
  });

  it('is accessible', async () => {
    const page = await dashboard().open('/nowhere');
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    await checkAccessibility(page, 'not found');
    await page.route(LIST, (route) => route.abort('connectionrefused'));
    await page.goto(`${dashboard().url}/dashboard/mock-endpoints`);
    await page.getByRole('alert').waitFor();
    await checkAccessibility(page, 'failed list');
  });
});
