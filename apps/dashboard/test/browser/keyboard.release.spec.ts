import { withLock } from '@understudy/testing';
import type { Page } from 'playwright-core';

import { describeDashboard } from '../harness/dashboard-test.js';
import { checkVisibleFocus, hasFocus, tabTo, titleAndFocus, waitForFocus } from '../harness/page-checks.js';

describeDashboard(
  'with the keyboard only',
  (dashboard) => {
    const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
    const inDialog = (page: Page, name: string) =>
      page.getByRole('dialog').getByRole('button', { name, exact: true });
    const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
    const invite = (email: string) =>
      dashboard().call<{ invitation_token: string }>('POST', '/org/members', { email, role: 'member' });

    it('API keys are created, and the focus returns to the page', async () => {
      const page = await dashboard().open('/api-keys');
      await tabTo(page, button(page, 'Create key').first());
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('dialog').getByRole('textbox', { name: 'Name' }));
      await page.keyboard.type('keyboard');
      await tabTo(page, page.getByRole('radio').first());
      await page.keyboard.press('ArrowDown');
      await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Create key' }));
      await page.keyboard.press('Enter');
      await page.getByText('is not shown again').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button(page, 'Actions for keyboard').waitFor();
      await expect(titleAndFocus(page)).resolves.toMatchObject({ focus: 'Create key' });
    });

    it('agents are opened', async () => {
      const page = await dashboard().open('/agents');
      const { agents } = await dashboard().call<{ agents: { name: string }[] }>('GET', '/agents');
      const name = agents[0]?.name ?? '';
      await tabTo(page, page.getByRole('link', { name }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name }).waitFor();
      await tabTo(page, button(page, 'Revoke'));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect(titleAndFocus(page)).resolves.toMatchObject({ focus: 'Revoke' });
    });

    it('models are opened', async () => {
      const page = await dashboard().open('/models?kind=list&locale=ja_JP');
      const link = page.getByRole('link', { name: /^ja_JP\// }).first();
      await tabTo(page, link);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /^ja_JP\// }).waitFor();
      await tabTo(page, button(page, 'Other values'));
    });

    it('members are changed, and the focus returns to the page', async () => {
      await invite('grace@example.com');
      const page = await dashboard().open('/members');
      const invitation = button(page, 'Invite member');
      await tabTo(page, invitation);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('grace@example.com');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('already belongs to a member').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await hasFocus(invitation)).toBe(true);
      await tabTo(page, button(page, 'Actions for grace@example.com'));
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem').and(page.locator(':focus')).waitFor();
      await page.keyboard.press('End');
      await waitForFocus(menuItem(page, 'Remove'));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Remove grace@example.com?' }).waitFor();
      await tabTo(page, inDialog(page, 'Remove member'));
      await page.keyboard.press('Enter');
      await page.getByText('grace@example.com is removed.').waitFor();
      await page.getByRole('row').filter({ hasText: 'grace@example.com' }).waitFor({ state: 'detached' });
    });

    it('an invitation is accepted', async () => {
      const { invitation_token: secret } = await invite('ada@example.com');
      const page = await dashboard().open(`/accept-invitation#${secret}`, { token: null });
      await tabTo(page, page.getByRole('textbox', { name: 'Your name' }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'You are a member now' }).waitFor();
      await tabTo(page, button(page, 'I have stored it, continue'));
      await page.keyboard.press('Enter');
      await heading(page, 'Overview').waitFor();
    });

    it('a session that has ended continues, and the form keeps its text and the focus', async () => {
      const { databases, token } = dashboard().organization;
      const page = await dashboard().open('/api-keys');
      await button(page, 'Create key').first().click();
      const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
      await name.fill('by keyboard');
      await page.getByRole('radio', { name: 'Everything the role allows' }).click();
      await databases.control.query('DELETE FROM dashboard_sessions');
      await name.press('Enter');
      const ended = page.getByRole('dialog', { name: 'Your session has ended' });
      const key = ended.getByRole('textbox', { name: 'API key' });
      await tabTo(page, key);
      await page.keyboard.press('Escape');
      await ended.waitFor();
      await tabTo(page, key);
      await page.keyboard.type(token);
      await page.keyboard.press('Enter');
      await ended.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('by keyboard');
      await waitForFocus(name);
    });

    it('mock endpoints are called and deleted', async () => {
      await dashboard().call('POST', '/mock/endpoints', {
        ...{ path: '/people', method: 'GET', auth: 'none', response: { count: 2 } },
        schema: { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] },
      });
      const page = await dashboard().open('/mock-endpoints');
      await tabTo(page, page.getByRole('link', { name: '/people' }));
      await page.keyboard.press('Enter');
      await tabTo(page, button(page, 'Send request'));
      await page.keyboard.press('Enter');
      await page.getByText(/^Status 200 in/).waitFor();
      await tabTo(page, button(page, 'Delete'));
      await page.keyboard.press('Enter');
      await tabTo(page, button(page, 'Delete mock endpoint'));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Mock endpoints' }).waitFor();
      await page.getByRole('link', { name: '/people' }).waitFor({ state: 'detached' });
    });

    it('snapshots are created and cancelled', async () => {
      const page = await dashboard().open('/snapshots');
      await tabTo(page, button(page, 'New snapshot').first());
      await page.keyboard.press('Enter');
      await waitForFocus(page.getByRole('textbox', { name: 'Name', exact: true }));
      await page.keyboard.type('By keyboard');
      await tabTo(page, page.getByRole('combobox', { name: 'Database', exact: true }));
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: 'agent:shop' }).waitFor();
      await page.keyboard.type('agent:shop');
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('textbox', { name: 'Expires after' }));
      await page.keyboard.press('ArrowUp');
      await withLock(dashboard().organization.databases.shop, 'customers', async () => {
        await tabTo(page, inDialog(page, 'Create snapshot'));
        await page.keyboard.press('Enter');
        await waitForFocus(heading(page, 'By keyboard'));
        await tabTo(page, button(page, 'Cancel snapshot'));
        await page.keyboard.press('Enter');
        await tabTo(page, inDialog(page, 'Cancel snapshot'));
        await page.keyboard.press('Enter');
        await heading(page, 'Snapshots').waitFor();
      });
      await page.getByRole('link', { name: 'By keyboard' }).waitFor({ state: 'detached' });
    });

    it('the form of a new sync job is filled in and left', async () => {
      const page = await dashboard().open('/sync-jobs/new');
      await tabTo(page, page.getByRole('button', { name: 'Add tables' }));
      await checkVisibleFocus(page);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Add tables' }).waitFor();
      await waitForFocus(page.getByRole('dialog').getByRole('textbox').first());
      await page.keyboard.type('customers');
      await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Add tables' }));
      await page.keyboard.press('Enter');
      const menu = page.getByRole('button', { name: 'Actions for customers' });
      await tabTo(page, menu);
      await page.keyboard.press('Enter');
      await waitForFocus(page.getByRole('menuitem', { name: 'Add columns' }));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Add columns to customers' }).waitFor();
      await waitForFocus(page.getByRole('dialog').getByRole('textbox').first());
      await page.keyboard.type('id');
      await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Add columns' }));
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('checkbox', { name: 'Select id' }));
      await page.keyboard.press('Space');
      await tabTo(page, page.getByRole('button', { name: 'Clear selection' }));
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByText('1 column: 0 masked, 1 kept').waitFor();

      await tabTo(page, page.getByRole('link', { name: 'Overview' }));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Leave without starting the job?' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('1 column: 0 masked, 1 kept').waitFor();
    });

    /** Accepts a suggestion. The editor ignores keys in the first 75 ms of a list, and no event reports their end. */
    const accept = async (page: Page, name: string) => {
      await page
        .getByRole('option', { name })
        .first()
        .evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
      await page.keyboard.press('Enter');
    };

    it('the playground is used', async () => {
      const page = await dashboard().open('/playground');
      const editor = page.getByRole('textbox', { name: 'Schema as JSON' });
      await page
        .getByText(/^20 records in /)
        .first()
        .waitFor();
      await tabTo(page, editor);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Delete');
      await page.keyboard.type('{ "gen');
      await accept(page, 'generators');
      await page.keyboard.type('{ "n": { "type": "svc", "algorithm": "seq');
      await page.keyboard.press('Control+Space');
      await accept(page, 'sequence');
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.type(', "output": ["n"]');
      await page.getByRole('columnheader', { name: 'n', exact: true }).waitFor();
      await page.keyboard.press('Tab');
      expect(await hasFocus(editor)).toBe(true);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      expect(await hasFocus(editor)).toBe(false);
      await tabTo(page, button(page, 'Compare with the API'));
      await page.keyboard.press('Enter');
      await page.getByText('The API gives the same bytes', { exact: true }).waitFor();
    });
  },
  { agents: true },
);
