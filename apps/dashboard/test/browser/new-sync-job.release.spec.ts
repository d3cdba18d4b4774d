import { describeDashboard } from '../harness/dashboard-test.js';
import { JOB_FILE } from '../harness/job-files.js';
import { chooseFile, pick } from '../harness/new-job-form.js';

// `newcomer.spec.ts` starts a job, too, but no dry run.
describeDashboard(
  'the form of a new sync job',
  (dashboard) => {
    it('checks a job in a dry run, and starts it', async () => {
      const page = await dashboard().open('/sync-jobs/new');
      await chooseFile(page, JOB_FILE);
      await pick(page, 'Source', 'agent:shop');
      await pick(page, 'Target', 'agent:copy');
      await page.getByRole('button', { name: 'customers.email' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rule for customers.email' });
      await pick(page, 'What happens to the column', 'Build a text from a pattern');
      await dialog.getByRole('textbox', { name: 'Pattern' }).fill('{{uuid}}@example.com');
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByText('The form is complete.').waitFor();

      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByText('The dry run found no problem.').waitFor();
      await page.getByRole('button', { name: 'Start job' }).click();
      await page.getByText('replaces 2 tables in agent:copy').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Start job' }).click();
      await page.getByRole('heading', { name: 'copy of shop', exact: true }).waitFor();

      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      expect(await dashboard().call('GET', `/sync/jobs/${id}`)).toMatchObject({
        ...{ dry_run: false, source: 'agent:shop', target: 'agent:copy', unlisted_columns: 'reject' },
      });
    });
  },
  { agents: true },
);
