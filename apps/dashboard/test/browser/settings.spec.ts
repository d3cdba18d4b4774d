import { readFileSync } from 'node:fs';

import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { hasFocus, tabTo, titleAndFocus } from '../harness/page-checks.js';
import { AUDIT_ENTRIES, seedOrganization } from '../harness/seed-organization.js';

describeDashboard('the settings', (dashboard) => {
  beforeAll(() => seedOrganization(dashboard()));

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const inDialog = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true });
  const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  describe('for members', () => {
    it('invite a person with a link that works once, and change the role', async () => {
      const page = await dashboard().open('/members');
      await heading(page, 'Members').waitFor();
      await button(page, 'Invite member').click();
      await page.getByRole('textbox', { name: 'E-mail address' }).fill('joan@example.com');
      await page.getByRole('radio', { name: 'Viewer' }).click();
      await inDialog(page, 'Create invitation').click();
      const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue();
      await button(page, 'I have stored it').click();
      await row(page, 'joan@example.com').getByText('Invited').waitFor();

      const invited = await dashboard().open(link.slice(`${dashboard().url}/dashboard`.length), {
        token: null,
      });
      await button(invited, 'Accept the invitation').click();
      await heading(invited, 'You are a member now').waitFor();

      await page.reload();
      await row(page, 'joan@example.com').getByText('Active').waitFor();
      await button(page, 'Actions for joan@example.com').click();
      await menuItem(page, 'Change role').click();
      await page.getByRole('radio', { name: 'Admin' }).click();
      await inDialog(page, 'Change role').click();
      await page.getByText('joan@example.com has the role Admin now.').waitFor();
      await row(page, 'joan@example.com').getByText('Admin', { exact: true }).waitFor();
    });

    it('create a sign-in link only for a member without a valid key', async () => {
      const page = await dashboard().open('/members');
      const createLink = async () => {
        await button(page, 'Actions for ada@example.com').click();
        await menuItem(page, 'Create sign-in link').click();
        await inDialog(page, 'Create link').click();
      };
      await createLink();
      await page.getByText('This member has an API token that has not expired.').waitFor();
      await button(page, 'Cancel').click();
      const { tokens } = await dashboard().call<{ tokens: { id: string; member_id: string | null }[] }>(
        'GET',
        '/tokens?per_page=100',
      );
      for (const { id, member_id: owner } of tokens)
        if (owner !== null) await dashboard().call('DELETE', `/tokens/${id}`);
      await createLink();
      const link = await page.getByRole('textbox', { name: 'Sign-in link' }).inputValue();
      expect(link).toMatch(/\/dashboard\/sign-in#link=./);
      await button(page, 'I have stored it').click();
    });

    it('are read-only for a viewer', async () => {
      const { token } = await dashboard().call<{ token: string }>('POST', '/tokens', {
        name: 'viewer',
        role: 'viewer',
      });
      const page = await dashboard().open('/members', { token });
      await row(page, 'ada@example.com').waitFor();
      expect(await button(page, 'Invite member').count()).toBe(0);
      expect(await button(page, 'Actions for ada@example.com').count()).toBe(0);
    });
  });

  describe('for the audit log', () => {
    it('filter by action and day, in the address of the page', async () => {
      const page = await dashboard().open('/audit-log');
      await row(page, 'Signed in').first().waitFor();
      const action = page.getByRole('combobox', { name: 'Action' });
      await action.fill('Webhook cha');
      await page.getByRole('option', { name: 'Webhook changed' }).click();
      await page.getByText(`${AUDIT_ENTRIES / 4} entries`).waitFor();
      await page.getByLabel('To', { exact: true }).fill('2020-01-01');
      await page.getByText('No entry matches the filters').waitFor();
      expect(new URL(page.url()).search).toBe('?action=webhook.changed&to=2020-01-01');
      await page.goto(`${dashboard().url}/dashboard/audit-log?action=webhook.changed`);
      await page.getByText(`${AUDIT_ENTRIES / 4} entries`).waitFor();
      expect(await action.inputValue()).toBe('Webhook changed');
      await button(page, 'Clear filters').click();
      await row(page, 'Signed in').first().waitFor();
      expect(new URL(page.url()).search).toBe('');
    });

    it('export the entries that match the filters', async () => {
      const page = await dashboard().open('/audit-log?action=webhook.changed');
      await page.getByText(`${AUDIT_ENTRIES / 4} entries`).waitFor();
      await button(page, 'Export').click();
      await page.getByRole('radio', { name: 'NDJSON' }).click();
      const file = page.waitForEvent('download');
      await inDialog(page, 'Export entries').click();
      const path = await (await file).path();
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
      expect(new Set(ids).size).toBe(AUDIT_ENTRIES / 4);
      await page.getByText(`${AUDIT_ENTRIES / 4} entries exported.`).waitFor();
    });

    it('fold the filters on a narrow screen', async () => {
      const page = await dashboard().open('/audit-log', { width: 390 });
      await row(page, 'Signed in').first().waitFor();
      const request = page.getByRole('textbox', { name: 'Request id' });
      expect(await request.isVisible()).toBe(false);
      await button(page, 'Filters').click();
      await request.fill('req_unknown');
      await request.press('Enter');
      await page.getByText('The log has no change by this request').waitFor();
      expect(new URL(page.url()).search).toBe('?request=req_unknown');
    });

    it('are linked from the request id of an error, for those who may read them', async () => {
      const missing = '/agents/agt_00000000000000000000000000';
      const page = await dashboard().open(missing);
      await page.getByRole('link', { name: 'Look up in the audit log' }).click();
      await heading(page, 'Audit log').waitFor();
      expect(new URL(page.url()).searchParams.get('request')).toMatch(/^req_/);
      const { token } = await dashboard().call<{ token: string }>('POST', '/tokens', {
        ...{ name: 'reader', role: 'viewer', expires_in_days: 30 },
      });
      const viewer = await dashboard().open(missing, { token });
      await viewer.getByText('Request ID').waitFor();
      expect(await viewer.getByRole('link', { name: 'Look up in the audit log' }).count()).toBe(0);
    });

    it('show an entry with the keyboard only, and all changes of its target', async () => {
      const page = await dashboard().open('/audit-log?action=agent.revoked');
      const entry = button(page, 'Agent revoked').first();
      await tabTo(page, entry);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('textbox', { name: 'Request id' }).inputValue()).resolves.toMatch(
        /^req_\d+$/,
      );
      await page.getByText('eu, nightly').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await hasFocus(entry)).toBe(true);
      await page.keyboard.press('Enter');
      await tabTo(page, inDialog(page, 'All changes of this thing'));
      await page.keyboard.press('Enter');
      await page.getByText('1 entry', { exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get('target')).toMatch(/^thing_\d+$/);
    });
  });

  describe('for usage', () => {
    it('show limits and days, and change the plan', async () => {
      const page = await dashboard().open('/usage');
      await page.getByRole('combobox', { name: 'Range' }).waitFor();
      await expect(titleAndFocus(page)).resolves.toMatchObject({ title: 'Usage · Understudy' });
      await page.getByText('500 of 500: limit reached').waitFor();
      await page.getByRole('combobox', { name: 'Range' }).click();
      await page.getByRole('option', { name: 'Last 90 days' }).click();
      await page.waitForURL(/\?days=/);
      await button(page, 'Show as table').first().click();
      await page.getByRole('table', { name: /^API calls/ }).waitFor();
      await button(page, 'Change plan').click();
      await page.getByRole('radio', { name: 'Team' }).click();
      await inDialog(page, 'Change plan').click();
      await page.getByText('The organisation has the plan Team now.').waitFor();
      await page.getByText('Plan: Team').waitFor();
      await dashboard().call('PATCH', '/org', { plan: 'business' });
    });
  });

  describe('on the overview', () => {
    it('list what to do first, and check off what is done', async () => {
      const page = await dashboard().open('/');
      const step = (name: string) => page.getByRole('listitem').filter({ hasText: name });
      await step('Create an API key').getByText('Done:').waitFor();
      await step('Connect an agent').getByText('To do:').waitFor();
      await page.getByRole('link', { name: 'Add a webhook' }).click();
      await heading(page, 'Webhooks').waitFor();
      await dashboard().call('POST', '/webhooks', { url: 'http://127.0.0.1:8123/', events: ['sync.failed'] });
      await page.goBack();
      await step('Add a webhook').getByText('Done:').waitFor();
    });
  });

  it('are accessible', async () => {
    const page = await dashboard().open('/');
    const check = (name: string, popup?: string) => checkAccessibility(page, name, popup);
    const visit = async (path: string, name: string) => {
      await page.goto(`${dashboard().url}/dashboard${path}`);
      await heading(page, name).waitFor();
    };
    await page.getByText('Limits of the plan').waitFor();
    await check('overview');
    await visit('/members', 'Members');
    await row(page, 'ada@example.com').waitFor();
    await check('members');
    await visit('/audit-log?action=agent.revoked', 'Audit log');
    await button(page, 'Agent revoked').first().click();
    await page.getByRole('dialog').waitFor();
    await check('audit log, entry', '[role=dialog]');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await check('audit log');
    await visit('/usage', 'Usage');
    await button(page, 'Show as table').first().waitFor();
    await check('usage');
  });
});
