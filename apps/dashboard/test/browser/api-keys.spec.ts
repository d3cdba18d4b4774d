import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { checkNoSidewaysScrolling, titleAndFocus } from '../harness/page-checks.js';

describeDashboard('the API keys', (dashboard) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const keyOf = (page: Page) => page.getByRole('textbox', { name: 'API key', exact: true }).inputValue();
  const statusWith = async (token: string, path = '/models'): Promise<number> =>
    (await fetch(dashboard().system.baseUrl + path, { headers: { authorization: `Bearer ${token}` } }))
      .status;
  const create = (name: string) => dashboard().call('POST', '/tokens', { name, role: 'member' });

  it('[5/2] are created with few scopes, rotated and revoked', async () => {
    const page = await dashboard().open('/api-keys');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await expect(titleAndFocus(page)).resolves.toMatchObject({ title: 'API keys · Understudy' });
    await button(page, 'Create key').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('ci');
    await dialog.getByRole('radio', { name: 'Only selected resources' }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Choose access to at least one resource.').waitFor();
    await dialog.getByRole('combobox', { name: 'Models' }).click();
    await page.getByRole('option', { name: 'Read', exact: true }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();

    await page.getByText('is not shown again').waitFor();
    const first = await keyOf(page);
    await expect(statusWith(first)).resolves.toBe(200);
    await expect(statusWith(first, '/agents')).resolves.toBe(403);
    await checkAccessibility(page, 'API keys, shown once', '[role=dialog]');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByText('1 scope').waitFor();
    await checkAccessibility(page, 'API keys');

    await button(page, 'Actions for ci').click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await button(page, 'Rotate key').click();
    await page.getByText('is not shown again').waitFor();
    const second = await keyOf(page);
    expect(second).not.toBe(first);
    await expect(statusWith(first)).resolves.toBe(401);
    await expect(statusWith(second)).resolves.toBe(200);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    await button(page, 'Actions for ci').click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await button(page, 'Revoke key').click();
    await page.getByText('The key ci is revoked.').waitFor();
    await button(page, 'Actions for ci').waitFor({ state: 'detached' });
    await expect(statusWith(second)).resolves.toBe(401);
  });

  it('are created with the access of a preset, without any other choice', async () => {
    const page = await dashboard().open('/api-keys');
    await button(page, 'Create key').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('pipeline');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await keyOf(page);
    await expect(statusWith(key, '/sync/jobs')).resolves.toBe(200);
    await expect(statusWith(key, '/agents')).resolves.toBe(403);
  });

  it('offer a session only what it may give itself', async () => {
    const { token } = await dashboard().call<{ token: string }>('POST', '/tokens', {
      name: 'narrow',
      role: 'admin',
      scopes: ['tokens:write', 'models:read'],
    });
    const page = await dashboard().open('/api-keys', { token });
    await button(page, 'Create key').first().click();
    await expect(page.getByRole('radio', { name: /Everything/ }).isDisabled()).resolves.toBe(true);
    await expect(page.getByRole('radio', { name: 'CI' }).isDisabled()).resolves.toBe(true);
    await expect(page.getByRole('combobox', { name: 'Agents' }).isDisabled()).resolves.toBe(true);
    await page.getByRole('combobox', { name: 'Models' }).click();
    await expect(page.getByRole('option').allTextContents()).resolves.toEqual(['No access', 'Read']);
  });

  it('show a name with markup, from right to left or of 100 characters as text', async () => {
    const names = ['<img src=x onerror=alert(1)>', 'שלום עולם', 'x'.repeat(100)];
    for (const name of names) await create(name);
    const page = await dashboard().open('/api-keys', { width: 390 });
    for (const name of names) await page.getByText(name, { exact: true }).waitFor();
    await checkNoSidewaysScrolling(page);
  });
});
