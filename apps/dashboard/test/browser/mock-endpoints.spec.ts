import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { titleAndFocus } from '../harness/page-checks.js';

const SCHEMA = {
  generators: { name: { type: 'list', values: ['Ada', 'Grace'] }, of: { body: 'team {{params.team}}' } },
  output: ['name', 'of'],
};

describeDashboard('the mock endpoints', (dashboard) => {
  const create = (path: string, auth: 'none' | 'token' = 'none') =>
    dashboard().call<{ id: string; url: string }>('POST', '/mock/endpoints', {
      path,
      method: 'GET',
      auth,
      schema: SCHEMA,
      response: { count: 2 },
    });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('explain themselves while there is none', async () => {
    const page = await dashboard().open('/mock-endpoints');
    await page.getByText('No mock endpoint yet').waitFor();
    await expect(titleAndFocus(page)).resolves.toMatchObject({ title: 'Mock endpoints · Understudy' });
  });

  it('respond in the page as they respond to the command that it shows', async () => {
    await create('/teams/:team');
    const page = await dashboard().open('/mock-endpoints');
    await page.getByRole('link', { name: '/teams/:team' }).waitFor();
    await checkAccessibility(page, 'mock endpoints');
    await page.getByRole('link', { name: '/teams/:team' }).click();
    await page.getByRole('textbox', { name: ':team' }).fill('a/b');
    await page.getByRole('textbox', { name: 'Seed' }).fill('7');
    await button(page, 'Send request').click();
    await page.getByText(/^Status 200 in/).waitFor();
    const shown = await page.getByRole('region', { name: 'Response' }).textContent();
    const command = await page.getByRole('region', { name: 'Shell' }).textContent();
    const [, url = ''] = /'(.*)'/.exec(command ?? '') ?? [];
    const response: unknown = await (await fetch(url)).json();
    expect(JSON.parse(shown ?? '')).toEqual(response);
    expect(response).toMatchObject([{ of: 'team a/b' }, { of: 'team a/b' }]);
    await checkAccessibility(page, 'mock endpoint');
  });

  it('respond to the session of their page if they need an API key', async () => {
    const { id } = await create('/private', 'token');
    const page = await dashboard().open(`/mock-endpoints/${id}`);
    await page.getByText('Authorization: Bearer').waitFor();
    await button(page, 'Send request').click();
    await page.getByText(/^Status 200 in/).waitFor();
    await dashboard().organization.databases.control.query('DELETE FROM dashboard_sessions');
    await button(page, 'Send request').click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  });

  it('warn about headers that an earlier version stored', async () => {
    const { id } = await create('/old');
    await dashboard().organization.databases.control.query(
      `UPDATE mock_endpoints
       SET response_json = jsonb_set(response_json::jsonb, '{headers}', '{"Set-Cookie": "a=b"}')::text WHERE id = $1`,
      [id],
    );
    const page = await dashboard().open(`/mock-endpoints/${id}`);
    await page.getByText('This header is reserved, so it is not sent.').waitFor();
    await page.getByText('response.headers.Set-Cookie').waitFor();
    await checkAccessibility(page, 'mock endpoint with a warning');
  });
});
