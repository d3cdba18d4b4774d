import { asSource, asTarget, type LiveDatabases, withLock } from '@understudy/testing';
import type { Page } from 'playwright-core';

import { describeDashboard } from './dashboard-test.js';
import type { Hands } from './hands.js';
import { JOB_FILE } from './job-files.js';
import { Receiver } from './receiver.js';
import { ShellLines } from './shell-lines.js';

/**
 * Tests the way from the sign-in to a repeated delivery, through all screens and all processes.
 * @param name how the person uses the pages
 */
export function newcomerJourney(name: string, { press, type, choose }: Hands): void {
  jest.setTimeout(300_000); // one test walks through all screens

  describeDashboard('a newcomer', (dashboard) => {
    const shells: ShellLines[] = [];
    let receiver: Receiver;
    beforeEach(async () => {
      receiver = await Receiver.start();
    });
    afterEach(() => receiver.stop());
    afterEach(() => Promise.all(shells.splice(0).map((shell) => shell.stop())));

    const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
    const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
    const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
    const select = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
    const inDialog = (page: Page, name: string) =>
      page.getByRole('dialog').getByRole('button', { name, exact: true });

    /** Does what the dialog asks for: saves the policy with two URLs, runs the lines in a shell, and pastes the token. */
    const paste = async (page: Page, { shop, copy }: LiveDatabases) => {
      const shell = new ShellLines();
      shells.push(shell);
      const policy = await page.getByRole('region', { name: 'policy.yaml' }).innerText();
      shell.save(
        'policy.yaml',
        policy
          .replace(/'postgresql:\/\/reader[^']*'/, `'${await asSource(shop)}'`)
          .replace(/'postgresql:\/\/masker[^']*'/, `'${await asTarget(copy)}'`),
      );
      const lines = await page.getByRole('region', { name: 'Shell' }).innerText();
      await inDialog(page, 'Show').click();
      shell.run(lines, await field(page, 'Enrolment token').inputValue());
    };

    it(`comes from the sign-in to a repeated delivery with ${name}`, async () => {
      const { token: owner, databases } = dashboard().organization;
      const motion = { browser: { reducedMotion: 'no-preference' } } as const;
      const page = await dashboard().open('/', { token: null, ...motion });
      const toOverview = () =>
        press(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }));
      await type(page.getByRole('textbox', { name: 'API key' }), owner);
      await press(button(page, 'Sign in'));

      await press(link(page, 'Create an API key'));
      await heading(page, 'API keys').waitFor();
      await press(button(page, 'Create key'));
      await type(field(page, 'Name'), name);
      await press(page.getByRole('radio', { name: 'Only selected resources' }));
      await press(inDialog(page, 'Create key'));
      await page.getByText('Choose access to at least one resource.').waitFor();
      await choose(select(page, 'Sync jobs'), 'Read and write');
      await press(inDialog(page, 'Create key'));
      const token = await field(page, 'API key').inputValue();
      await expect(dashboard().call('GET', '/sync/jobs', undefined, token)).resolves.toBeDefined();
      await expect(dashboard().call('GET', '/webhooks', undefined, token)).rejects.toThrow('403');
      await press(button(page, 'I have stored it'));
      await page.getByRole('row').filter({ hasText: name }).getByText('1 scope').waitFor();

      await toOverview();
      await press(link(page, 'Connect an agent'));
      await heading(page, 'Agents').waitFor();
      await press(button(page, 'Connect an agent').first());
      await press(button(page, 'Create enrolment token'));
      await page.getByText('Waiting for the agent to connect').waitFor();
      await paste(page, databases);
      await page.getByText('The agent is connected.').waitFor();
      await press(link(page, 'Show the agent'));
      await page.getByText('Live', { exact: true }).waitFor();
      await expect(field(page, 'Connection string of shop').inputValue()).resolves.toBe('agent:shop');

      await toOverview();
      await press(link(page, 'Run a sync job'));
      await press(link(page, 'New sync job').first());
      const chooser = page.waitForEvent('filechooser');
      await press(button(page, 'Choose job file'));
      await (
        await chooser
      ).setFiles({
        name: 'understudy.job.jsonc',
        mimeType: 'application/json',
        buffer: Buffer.from(JOB_FILE),
      });
      await choose(select(page, 'Source'), /^agent:shop(?!-)/);
      await choose(select(page, 'Target'), /^agent:shop-staging/);
      await press(button(page, 'customers.email'));
      await choose(select(page, 'What happens to the column'), 'Build a text from a pattern');
      await type(field(page, 'Pattern'), '{{uuid}}@example.com');
      await press(inDialog(page, 'Done'));
      await page.getByText('The form is complete.').waitFor();
      await withLock(databases.shop, 'customers', async () => {
        await press(button(page, 'Start job'));
        await press(inDialog(page, 'Start job'));
        await heading(page, 'copy of shop').waitFor();
        await page.getByText('Running', { exact: true }).first().waitFor();
      });
      await page.getByText('All checks succeeded').waitFor();
      await page.getByText('Completed', { exact: true }).first().waitFor();

      await toOverview();
      await press(link(page, 'Add a webhook'));
      await press(button(page, 'Add webhook').first());
      await type(field(page, 'URL'), receiver.url);
      await press(inDialog(page, 'Add webhook'));
      await field(page, 'Signing secret').waitFor();
      await press(inDialog(page, 'Close'));
      await press(link(page, receiver.url));
      await press(button(page, 'Send test event'));
      await page.getByRole('cell', { name: '500, refused by the receiver' }).waitFor();
      await press(link(page, 'webhook.test'));
      await page.getByText('X-Service-Signature').waitFor();
      receiver.status = 204;
      await press(button(page, 'Send again'));
      await page.getByText('Delivered', { exact: true }).first().waitFor();
      expect(new Set(receiver.eventIds).size).toBe(1);

      await toOverview();
      await heading(page, 'Overview').waitFor();
      await page.getByRole('heading', { name: 'What to do first' }).waitFor({ state: 'detached' });
    });
  });
}
