import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { seedExampleJobs, type ExampleJobs } from '../harness/example-jobs.js';
import { checkVisibleFocus, tabTo, waitForFocus } from '../harness/page-checks.js';
import { seedAgent, seedJob, seedBuild } from '../harness/seed-jobs.js';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name });
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });

const CHECKED = { unlistedColumns: 'reject', dryRun: true, tables: [] };

describeDashboard('the sync jobs', (dashboard) => {
  let jobs: ExampleJobs;

  it('name what is missing while there are none: an agent, a database, or only the job', async () => {
    const page = await dashboard().open('/sync-jobs');
    await page.getByText('Connect an agent first.').waitFor();
    await page.getByRole('link', { name: 'Connect an agent' }).waitFor();
    await seedAgent(dashboard());
    await page.reload();
    await page.getByText('it offers no database').waitFor();
    await dashboard().organization.databases.control.query(
      `UPDATE agents SET offer = '{"labels": [], "maskingKey": "", "policies": {"agent:shop": ""}}'`,
    );
    await page.reload();
    await page.getByText('Choose two databases').waitFor();
    await expect(page.getByRole('link', { name: 'New sync job' }).count()).resolves.toBe(2);
    await expect(page.getByText(/agent first|no database/).count()).resolves.toBe(0);
    await page.goto(`${dashboard().url}/dashboard/`);
    await seedJob(dashboard(), {
      number: 30,
      ...{ name: 'Only checked', status: 'completed' },
      columns: { definition: CHECKED, prediction: { problems: [], problemCount: 0, tables: [] } },
    });
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'Only checked' }).getByText('No problem').waitFor();
    const step = page.getByRole('listitem').filter({ hasText: 'Run a sync job' });
    await step.getByText('To do:').waitFor();
    await dashboard().organization.databases.control.query('DELETE FROM sync_jobs');
    jobs = await seedExampleJobs(dashboard());
  });

  it('are accessible', async () => {
    const name = (part: string) => `sync jobs, ${part}`;
    const page = await dashboard().open('/sync-jobs');
    await page.getByRole('link', { name: 'Nightly copy for staging' }).waitFor();
    await tab(page, 'Failed 2').waitFor();
    const row = (job: string) => page.getByRole('row').filter({ hasText: job });
    const progress = row('Full copy of the shop').getByRole('progressbar', { name: 'Copying' });
    await expect(progress.getAttribute('aria-valuenow')).resolves.toBe('29');
    await row('Full copy of the shop').getByText('eu-1').waitFor();
    await row('Orders of the last quarter').getByText('constraint_violation').waitFor();
    await row('Copy that nobody needed').getByText('Cancelled').waitFor();
    const dryRun = row('Check of the new rules');
    await dryRun.getByText('Dry run', { exact: true }).waitFor();
    await dryRun.getByText('1 problem', { exact: true }).waitFor();
    await expect(dryRun.getByText('Completed').count()).resolves.toBe(0);
    await checkAccessibility(page, name('list'));
    await page.getByRole('button', { name: 'Actions for Nightly copy for staging' }).click();
    await page.getByRole('menuitem', { name: 'Run again' }).waitFor();
    await page.getByRole('menuitem', { name: 'Run again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Name contains' }).fill('no such job');
    await page.getByText('No job matches').waitFor();
  });

  it('show one job accessibly', async () => {
    const name = (part: string) => `sync job, ${part}`;
    const page = await dashboard().open(`/sync-jobs/${jobs.completed}`);
    await page.getByText('All checks succeeded').waitFor();
    await page.getByRole('button', { name: 'Show all checks' }).click();
    await table(page, 'Checks of the copy').getByText('order_items').first().waitFor();
    await checkAccessibility(page, name('overview'));
    for (const [label, shown] of [
      ['Tables 6', 'order_items'],
      ['Attempts 2', 'Attempt 2'],
      ['Definition', 'template {{slug(first_name)}}'],
      ['What we know', 'No field here can hold a value of a row.'],
    ] as const) {
      await tab(page, label).click();
      await page.getByRole('tabpanel').getByText(shown).first().waitFor();
      await checkAccessibility(page, name(label), '[role=tabpanel]');
    }
  });

  it('show the phases of a build with an estimate each', async () => {
    const id = await seedBuild(dashboard());
    const page = await dashboard().open(`/sync-jobs/${id}`);
    const row = (name: RegExp) => table(page, 'Build of the new database').getByRole('row', { name });
    await row(/Objects Done 1,204 of 1,204 –/).waitFor();
    await row(/Indexes Running 12 of 30 About \d+ min/).waitFor();
    await row(/Keys and triggers Waiting 0 of 18 No estimate yet/).waitFor();
    await row(/Swap Waiting 0 of 1 No estimate yet/).waitFor();
    await checkAccessibility(page, 'sync job, build of a database');
    await dashboard().organization.databases.control.query('DELETE FROM sync_jobs WHERE id = $1', [id]);
  });

  it('fold the messages that an agent can send, and unfold them on paper', async () => {
    const page = await dashboard().open(`/sync-jobs/${jobs.completed}`);
    await tab(page, 'What we know').click();
    await page.getByText('SqlName').filter({ visible: true }).first().waitFor();
    expect(await table(page, 'SqlName').count()).toBe(0);
    await page.getByText('SqlName').filter({ visible: true }).first().click();
    await table(page, 'SqlName').waitFor();
    expect(await table(page, 'TableState').count()).toBe(0);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await table(page, 'TableState').waitFor();
  });

  it('are filtered and sorted, and the address keeps both', async () => {
    const page = await dashboard().open('/sync-jobs');
    await tab(page, 'Failed 2').click();
    await table(page, 'Sync jobs').getByText('Copy that nobody needed').waitFor();
    expect(await page.getByRole('link', { name: 'Nightly copy' }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Name contains' }).fill('quarter');
    await page.getByText('1 job', { exact: true }).waitFor();
    await page.waitForURL(/\?status=failed&name=quarter$/);
    await page.reload();
    await page.getByRole('link', { name: 'Orders of the last quarter' }).waitFor();
    await page.getByText('1 job', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('6 jobs', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.waitForURL(/\?sort=name$/);
    const first = table(page, 'Sync jobs').getByRole('rowheader').first();
    await first.getByText('alert(1)').waitFor();
    await page.getByRole('combobox', { name: 'Created' }).click();
    await page.getByRole('option', { name: 'Last hour' }).click();
    await page.getByText('3 jobs', { exact: true }).waitFor();
  });

  it('show what failed, and in which phase', async () => {
    const page = await dashboard().open(`/sync-jobs/${jobs.failed}`);
    await page.getByText('The job failed').waitFor();
    await page.getByText('Error code: constraint_violation').waitFor();
    const phases = await page.getByRole('list', { name: 'Phases' }).getByRole('listitem').allTextContents();
    expect(phases.slice(0, 3)).toEqual(['Checks: done3.0 s', 'Copying: failed38 s', 'Indexing: waiting']);
    await tab(page, 'Definition').click();
    await table(page, 'Withheld parts of the definition').getByText('source.connection_string').waitFor();
  });

  it('show the result of a dry run', async () => {
    const page = await dashboard().open(`/sync-jobs/${jobs.dryRun}`);
    await page.getByText('1 problem would fail the job.').waitFor();
    await page.getByRole('button', { name: 'Show expected rows' }).click();
    await table(page, 'Expected rows').getByText('1,200,000').waitFor();
  });

  it('show that the agent of a running job does not report', async () => {
    const id = await seedJob(dashboard(), {
      number: 29,
      ...{ name: 'Held', status: 'running' },
      tables: [{ name: 'customers' }],
      columns: { renewed_at: new Date(Date.now() - 300_000) },
    });
    const page = await dashboard().open(`/sync-jobs/${id}`);
    await page.getByText('The agent does not report').waitFor();
    await page.getByText('Last report: 5 minutes ago').waitFor();
    expect(await page.getByText('agent_silent').count()).toBe(0);
    await checkAccessibility(page, 'sync job, silent agent');
  });

  it('run again with their constants and conditions, which the page does not get', async () => {
    const id = await seedJob(dashboard(), {
      number: 20,
      ...{ name: 'Repeatable', status: 'completed' },
      tables: [{ name: 'customers', rules: { city: { type: 'list', values: ['Alicetown', 'Bobville'] } } }],
    });
    const page = await dashboard().open(`/sync-jobs/${id}`);
    const bodies: Promise<string>[] = [];
    page.on('response', (response) => bodies.push(response.text().catch(() => '')));
    await page.getByRole('button', { name: 'Actions for Repeatable' }).click();
    await page.getByRole('menuitem', { name: 'Run again' }).click();
    await page.getByText('A new job replaces the same tables of agent:copy').waitFor();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('The new job is waiting for an agent.').waitFor();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await heading(page, 'Repeatable').waitFor();
    await waitForFocus(heading(page, 'Repeatable'));
    expect(await page.title()).toBe('Repeatable · Understudy');
    await page.getByRole('link', { name: id }).waitFor();
    expect((await Promise.all(bodies)).join()).not.toContain('Alicetown');
    const again = new URL(page.url()).pathname.split('/').at(-1);
    const { rows } = await dashboard().organization.databases.control.query(
      'SELECT run_of, definition::text FROM sync_jobs WHERE id = $1',
      [again],
    );
    expect(rows).toEqual([{ run_of: id, definition: expect.stringContaining('Alicetown') }]);
  });

  it('explain why they cannot run again', async () => {
    const id = await seedJob(dashboard(), {
      number: 33,
      ...{ name: 'With a URL', status: 'completed' },
      columns: { source: { kind: 'sealed', by_agent: {} } },
    });
    const page = await dashboard().open(`/sync-jobs/${id}`);
    await page.getByRole('button', { name: 'Actions for With a URL' }).click();
    await page.getByRole('menuitem', { name: 'Run again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('dialog').getByText('This job was given a connection URL').waitFor();
  });

  it('swap back the database that they have replaced, and show why that failed', async () => {
    const id = await seedJob(dashboard(), { number: 32, name: 'Replacing', status: 'completed' });
    const { id: organization, databases } = dashboard().organization;
    await databases.control.query(
      `INSERT INTO kept_databases (work_id, organization_id, target, requires, last_change, is_last, kept_until)
       VALUES ($1, $2, '{"kind": "agent", "name": "x"}', '{}', $1, true, now() + interval '1 hour')`,
      [id, organization],
    );
    const page = await dashboard().open(`/sync-jobs/${id}`);
    await page.getByText('Replaced database is kept until').waitFor();
    await page.getByRole('button', { name: 'Actions for Replacing' }).click();
    await page.getByRole('menuitem', { name: 'Swap back the replaced database' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Swap databases' }).click();
    await page.getByText('An agent swaps the databases.').waitFor();
    await page.getByText('A revert runs.').waitFor();
    await page.getByRole('button', { name: 'Actions for Replacing' }).click();
    await page.getByRole('menuitem', { name: 'Run again' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Swap back' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    const { rows } = await databases.control.query(
      `UPDATE sync_job_reverts SET status = 'failed', error_code = 'database_in_use', ended_at = now()
       WHERE job_id = $1 RETURNING id`,
      [id],
    );
    expect(rows).toHaveLength(1);
    await page.getByText('The last revert failed').waitFor();
    await page.getByText('Error code: database_in_use').waitFor();
  });

  it('are cancelled and deleted with the keyboard only', async () => {
    const id = await seedJob(dashboard(), { number: 21, name: 'Short-lived', status: 'pending', age: 1 });
    const page = await dashboard().open('/sync-jobs');
    await tabTo(page, page.getByRole('link', { name: 'Short-lived' }));
    await checkVisibleFocus(page);
    await page.keyboard.press('Enter');
    await heading(page, 'Short-lived').waitFor();
    const cancel = page.getByRole('button', { name: 'Cancel job' });
    await tabTo(page, cancel);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Cancel Short-lived?' }).waitFor();
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }));
    await page.keyboard.press('Enter');
    await page.getByText('The job was cancelled', { exact: true }).waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Actions for Short-lived' }));
    await page.keyboard.press('Enter');
    await waitForFocus(page.getByRole('menuitem').first());
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByText('cannot be restored').waitFor();
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Delete job' }));
    await page.keyboard.press('Enter');
    await page.getByText('The job Short-lived is deleted.').waitFor();
    await heading(page, 'Sync jobs').waitFor();
    const { jobs: left } = await dashboard().call<{ jobs: { id: string }[] }>('GET', '/sync/jobs');
    expect(left.map((job) => job.id)).not.toContain(id);
  });

  it('show a cancel request until the agent has ended the job', async () => {
    const columns = { cancel_requested_at: new Date() };
    await seedJob(dashboard(), { number: 22, name: 'No longer needed', status: 'running', age: 1, columns });
    const page = await dashboard().open('/sync-jobs');
    const row = page.getByRole('row').filter({ hasText: 'No longer needed' });
    await row.getByText('Cancelling', { exact: true }).waitFor();
  });
});
