import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { hasFocus, tabTo } from '../harness/page-checks.js';
import { ShellLines } from '../harness/shell-lines.js';

describeDashboard('a newcomer', (dashboard) => {
  const shells: ShellLines[] = [];
  afterAll(() => Promise.all(shells.map((shell) => shell.stop())));

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const inDialog = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true });
  const keyField = (page: Page) => page.getByRole('textbox', { name: 'API key' });

  /** Does what the dialog asks for: saves the policy, replaces the two URLs, and pastes the lines into a shell. */
  const paste = async (page: Page) => {
    const { shop, copy } = dashboard().organization.databases;
    const shell = new ShellLines();
    shells.push(shell);
    shell.save('policy.yaml', await page.getByRole('region', { name: 'policy.yaml' }).innerText());
    const lines = await page.getByRole('region', { name: 'Shell' }).innerText();
    shell.run(
      lines
        .replace(/SHOP_URL='[^']*'/, `SHOP_URL='${shop.url}'`)
        .replace(/STAGING_URL='[^']*'/, `STAGING_URL='${copy.url}'`),
    );
  };

  it('signs in, creates a key and connects an agent by the visible texts', async () => {
    const page = await dashboard().open('/', { token: null });
    await keyField(page).fill(dashboard().organization.token);
    await button(page, 'Sign in').click();
    await link(page, 'Create an API key').click();
    await heading(page, 'API keys').waitFor();
    await button(page, 'Create key').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('ci');
    await inDialog(page, 'Create key').click();
    await page.getByText('Choose access to at least one resource.').waitFor();
    await page.getByRole('combobox', { name: 'Sync jobs' }).click();
    await page.getByRole('option', { name: 'Read and write' }).click();
    await inDialog(page, 'Create key').click();
    const token = await keyField(page).inputValue();
    await expect(dashboard().call('GET', '/sync/jobs', undefined, token)).resolves.toMatchObject({
      total: 0,
    });
    await expect(dashboard().call('GET', '/webhooks', undefined, token)).rejects.toThrow('403');
    await checkAccessibility(page, 'api keys, shown once');
    await button(page, 'I have stored it').click();
    await page.getByRole('row').filter({ hasText: 'ci' }).getByText('1 scope').waitFor();

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
    await link(page, 'Connect an agent').click();
    await heading(page, 'Agents').waitFor();
    await button(page, 'Connect an agent').first().click();
    await button(page, 'Create enrolment token').click();
    await page.getByText('Waiting for the agent to connect').waitFor();
    await checkAccessibility(page, 'agents, enrolment');
    await paste(page);
    await page.getByText('The agent is connected.').waitFor();
    await link(page, 'Show the agent').click();
    await page.getByText('Live', { exact: true }).waitFor();
    await expect(
      page.getByRole('textbox', { name: 'Connection string of shop', exact: true }).inputValue(),
    ).resolves.toBe('agent:shop');
  });

  it('does the same with the keyboard only', async () => {
    const page = await dashboard().open('/', { token: null });
    await tabTo(page, keyField(page));
    await page.keyboard.type(dashboard().organization.token);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' }));
    await page.keyboard.press('Enter');
    const create = button(page, 'Create key');
    await tabTo(page, create);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('keyboard');
    const access = page.getByRole('combobox', { name: 'Models' });
    await tabTo(page, access);
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Read', exact: true }).waitFor();
    await page.keyboard.type('Read');
    await page.keyboard.press('Enter');
    await tabTo(page, inDialog(page, 'Create key'));
    await page.keyboard.press('Enter');
    await tabTo(page, button(page, 'I have stored it'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'keyboard' }).waitFor();

    await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }));
    await page.keyboard.press('Enter');
    await heading(page, 'Agents').and(page.locator(':focus')).waitFor();
    await tabTo(page, button(page, 'Connect an agent').first());
    await page.keyboard.press('Enter');
    await tabTo(page, button(page, 'Create enrolment token'));
    await page.keyboard.press('Enter');
    await page.getByText('Waiting for the agent to connect').waitFor();
    await paste(page);
    await tabTo(page, link(page, 'Show the agent'));
    await page.keyboard.press('Enter');
    await page.getByText('Live', { exact: true }).waitFor();
    const revoke = button(page, 'Revoke');
    await tabTo(page, revoke);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await hasFocus(revoke)).toBe(true);
    await page.keyboard.press('Enter');
    await tabTo(page, inDialog(page, 'Revoke agent'));
    await page.keyboard.press('Enter');
    await page.getByText('Revoked', { exact: true }).waitFor();
  });
});
