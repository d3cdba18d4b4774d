import type { SyncJob } from '@understudy/client';
import type { Page } from 'playwright-core';

import { checkAccessibility, NARROW } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { JOB_FILE, largeJobFile } from '../harness/job-files.js';
import { chooseFile, FILE_NAME, pick } from '../harness/new-job-form.js';
import { titleAndFocus } from '../harness/page-checks.js';

/** Drops a file of this size on the area beside the button, as a person drags it there. */
async function drop(page: Page, bytes: number): Promise<void> {
  const files = await page.evaluateHandle(
    ([name, size]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(size)], name));
      return transfer;
    },
    [FILE_NAME, bytes] as const,
  );
  await page.getByText('Or drop it here.').dispatchEvent('drop', { dataTransfer: files });
}

describeDashboard(
  'the form of a new sync job',
  (dashboard) => {
    it('is filled in from a job file, after a decision for each column', async () => {
      const page = await dashboard().open('/sync-jobs');
      await page.getByRole('link', { name: 'New sync job' }).first().click();
      await page.getByRole('heading', { name: 'New sync job' }).waitFor();
      expect(await titleAndFocus(page)).toEqual({
        title: expect.stringContaining('New sync job'),
        focus: 'New sync job',
      });
      await chooseFile(page, JOB_FILE);
      await page.getByText('The connection URLs of the file were left out.').waitFor();
      await page.getByText('3 problems to solve').waitFor();
      await pick(page, 'Source', 'agent:shop');
      await pick(page, 'Target', 'agent:copy');

      await page.getByRole('button', { name: 'customers.email' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rule for customers.email' });
      await dialog.getByText('e-mail address (the name of the column); no rule fits its type').waitFor();
      await pick(page, 'What happens to the column', 'Build a text from a pattern');
      await dialog.getByRole('textbox', { name: 'Pattern' }).fill('{{nothing}}@example.com');
      await dialog.getByText('This rule cannot be used yet').waitFor();
      await dialog.getByRole('textbox', { name: 'Pattern' }).fill('{{uuid}}@example.com');
      await dialog.getByText('This rule cannot be used yet').waitFor({ state: 'hidden' });
      const samples = dialog.getByRole('region', { name: 'Sample values' }).getByRole('listitem');
      await samples.getByText('@example.com"').first().waitFor();
      const before = await samples.allTextContents();
      expect(new Set(before).size).toBe(6);
      await dialog.getByRole('button', { name: 'Other values' }).click();
      await samples.getByText(before[0] ?? '', { exact: true }).waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByText('The form is complete.').waitFor();
    });

    it('copies an earlier job, and demands what the server withholds', async () => {
      const job = await dashboard().call<SyncJob>('POST', '/sync/jobs', {
        name: 'earlier',
        source: { type: 'postgresql', connection_string: 'agent:shop' },
        target: { type: 'postgresql', connection_string: 'agent:copy' },
        tables: [
          {
            name: 'stock',
            columns: { id: { type: 'list', values: [1, 2, 3] } },
            subset: { where: 'id < 5' },
          },
        ],
        dry_run: true,
      });
      const page = await dashboard().open(`/sync-jobs/new?from=${job.id}`);
      await page.getByText('This form is a copy of an earlier job.').waitFor();
      await page.getByRole('button', { name: 'Start job' }).click();
      const settings = page.getByRole('dialog', { name: 'Settings of stock' });
      await settings.getByText('The copied job had a condition').waitFor();
      await settings.getByRole('textbox', { name: 'Condition' }).fill('id < 5');
      await settings.getByRole('button', { name: 'Done' }).click();
      await page.getByText('1 problem to solve').waitFor();
      await page.getByRole('button', { name: 'stock.id' }).click();
      await page
        .getByRole('dialog')
        .getByText('The copied job has values in this rule that the server does not show')
        .waitFor();
    });

    it('asks for the name of the database that a job replaces', async () => {
      const job = await dashboard().call<SyncJob>('POST', '/sync/jobs', {
        name: 'whole',
        source: { type: 'postgresql', connection_string: 'agent:shop' },
        target: { type: 'postgresql', connection_string: 'agent:copy' },
        ...{ replace: 'database', dry_run: true, tables: [{ name: 'stock', rows: 'none' }] },
      });
      const page = await dashboard().open(`/sync-jobs/new?from=${job.id}`);
      await page.getByText('Without rows').waitFor();
      await page.getByRole('button', { name: 'Start job' }).click();
      const dialog = page.getByRole('dialog');
      const start = dialog.getByRole('button', { name: 'Start job' });
      await start.waitFor();
      expect(await start.isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill('copy');
      expect(await start.isDisabled()).toBe(false);
    });

    it('keeps everything if the session ends, and shows at its fields what the server refuses', async () => {
      const page = await dashboard().open('/sync-jobs/new');
      await chooseFile(page, largeJobFile(1));
      await pick(page, 'Source', 'agent:shop');
      await pick(page, 'Target', 'agent:copy');
      const name = page.getByRole('textbox', { name: 'Name of the job' });
      await name.fill('typed before the end');
      await page.getByText('The form is complete.').waitFor();
      const { organization } = dashboard();
      await organization.databases.control.query('DELETE FROM dashboard_sessions');
      const dryRun = page.getByRole('button', { name: 'Dry run' });
      await dryRun.click();
      const ended = page.getByRole('dialog', { name: 'Your session has ended' });
      await ended.getByRole('textbox', { name: 'API key' }).fill(organization.token);
      await ended.getByRole('button', { name: 'Sign in' }).click();
      await ended.waitFor({ state: 'detached' });

      let sent: unknown;
      await page.route('**/dashboard/v1/sync/jobs', (route) => {
        sent = route.request().postDataJSON();
        const details = [
          { field: 'name', message: 'the server refuses this name' },
          { field: 'tables[0].columns.column_3', message: 'the server refuses this rule' },
        ];
        const error = { code: 'validation_error', message: 'The request is invalid.', details };
        return route.fulfill({ status: 422, json: { error, meta: { request_id: 'req_1' } } });
      });
      await dryRun.click();
      await page.getByText('2 problems to solve').waitFor();
      expect(sent).toMatchObject({
        ...{ name: 'typed before the end', dry_run: true },
        source: { connection_string: 'agent:shop' },
        target: { connection_string: 'agent:copy' },
        tables: [{ name: 'table_0', columns: JSON.parse(largeJobFile(1)).tables[0].columns }],
      });
      expect(await name.getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByText('the server refuses this name').count()).toBe(2); // at the field, and in the list
      await page.getByRole('button', { name: 'table_0.column_3' }).click();
      const rule = page.getByRole('dialog', { name: 'Rule for table_0.column_3' });
      await rule.getByText('the server refuses this rule').waitFor();
      await rule.getByRole('button', { name: 'Done' }).click();
      await name.fill('another name');
      await page.getByText('1 problem to solve').waitFor();
    });

    it('is filled in by hand, and asks before it is left', async () => {
      const page = await dashboard().open('/sync-jobs/new');
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Add tables' }).click();
      await dialog.getByRole('textbox').first().fill('customers');
      await dialog.getByRole('button', { name: 'Add tables' }).click();
      await page.getByRole('button', { name: 'Actions for customers' }).click();
      await page.getByRole('menuitem', { name: 'Add columns' }).click();
      await dialog.getByRole('textbox').first().fill('id');
      await dialog.getByRole('button', { name: 'Add columns' }).click();
      await page.getByRole('checkbox', { name: 'Select id' }).click();
      await page.getByRole('button', { name: 'Keep unchanged' }).click();
      await page.getByText('1 column: 0 masked, 1 kept').waitFor();
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('dialog', { name: 'Leave without starting the job?' }).waitFor();
    });

    it('refuses files that are no job files, and keeps the form', async () => {
      const page = await dashboard().open('/sync-jobs/new');
      await page.getByRole('textbox', { name: 'Name of the job' }).fill('kept');
      await drop(page, 20 * 1024 * 1024);
      await page.getByText('The file has 20.0 MiB. A job file has at most 4 MiB.').waitFor();
      await chooseFile(page, '{\n  "tables": [}');
      await page.getByText('Line 2, column 14: expected a value').waitFor();
      await chooseFile(page, Buffer.from([0xff, 0xfe]));
      await page.getByText('The file is not UTF-8 text.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Name of the job' }).inputValue()).toBe('kept');
    });

    it('draws only the visible ones of 2,000 columns', async () => {
      const page = await dashboard().open('/sync-jobs/new');
      await chooseFile(page, largeJobFile(200));
      await page.getByText('The form now has 200 tables with 2000 columns.').waitFor();
      await page.getByText('800 masked, 1200 kept').waitFor();
      expect(await page.getByRole('listitem').count()).toBeLessThan(100);
      await page.getByRole('searchbox', { name: 'Search tables and columns' }).fill('table_199');
      await page.getByRole('button', { name: 'column_4', exact: true }).click();
      await page.getByRole('dialog', { name: 'Rule for table_199.column_4' }).waitFor();
      await page.getByRole('button', { name: 'Use for all 200 columns named column_4' }).waitFor();
    });

    it('folds tables with many columns on a narrow screen', async () => {
      const page = await dashboard().open('/sync-jobs/new', { theme: 'dark', width: 390 });
      await chooseFile(page, largeJobFile(2));
      const table = page.getByRole('button', { name: 'Show the columns of table_0' });
      await table.waitFor();
      expect(await table.getAttribute('aria-expanded')).toBe('false');
      await table.click();
      await page.getByRole('button', { name: 'column_9', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page.getByRole('searchbox', { name: 'Search tables and columns' }).waitFor();
      await checkAccessibility(page, 'new sync job, narrow rules', undefined, [NARROW]);
    });

    it('is read-only for a viewer, with a reason', async () => {
      const { token } = await dashboard().call<{ token: string }>('POST', '/tokens', {
        ...{ name: 'viewer', role: 'viewer', expires_in_days: 30 },
      });
      const page = await dashboard().open('/sync-jobs/new', { token });
      await page.getByText('does not allow you to start sync jobs').waitFor();
      expect(await page.getByRole('button', { name: 'Start job' }).isDisabled()).toBe(true);
    });

    it('is accessible, with its dialog and errors', async () => {
      const page = await dashboard().open('/sync-jobs/new');
      await page.getByText('No table yet').waitFor();
      await chooseFile(page, JOB_FILE);
      await page.getByRole('button', { name: 'Show request' }).click();
      await page.getByRole('button', { name: 'Start job' }).click();
      await page.getByText('Choose a database, or enter a connection URL.').first().waitFor();
      await checkAccessibility(page, 'new sync job, errors');
      await page.getByRole('button', { name: 'name', exact: true }).click();
      await page.getByRole('dialog', { name: 'Rule for customers.name' }).waitFor();
      await checkAccessibility(page, 'new sync job, rule', '[role=dialog]');
    });
  },
  { agents: true },
);
