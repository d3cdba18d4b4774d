import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { hasFocus } from '../harness/page-checks.js';
import { signIn } from '../harness/sign-in.js';

describeDashboard(
  'the session of a page',
  (dashboard) => {
    const token = () => dashboard().organization.token;
    const database = () => dashboard().organization.databases.control;
    const endedDialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
    const warning = (page: Page) => page.getByRole('dialog', { name: 'Your session ends soon' });
    const overview = (page: Page) => page.getByRole('heading', { name: 'Overview' });

    /** Ends all sessions on the server. Pages learn of it at their next call. */
    const endSessions = () => database().query('DELETE FROM dashboard_sessions');
    /** Loads the page with a new session, which has been idle for the given time. */
    const loadIdle = async (page: Page, seconds: number) => {
      await page.goto(`${dashboard().url}/dashboard/icon.svg`); // a call of a page would be activity
      await signIn(page.context(), dashboard().url, token()); // calls that still run have the cookie of before
      await database().query(
        `UPDATE dashboard_sessions SET last_seen_at = now() - $1 * interval '1 second'`,
        [seconds],
      );
      await page.goto(`${dashboard().url}/dashboard/`);
    };
    const signInAgain = async (page: Page) => {
      const dialog = endedDialog(page);
      await dialog.getByRole('textbox', { name: 'API key' }).fill(token());
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'detached' });
    };

    it('can end in the middle of a form, and nothing typed is lost', async () => {
      const page = await dashboard().open('/api-keys');
      await page.getByRole('button', { name: 'Create key' }).first().click();
      const form = page.getByRole('dialog', { name: 'Create an API key' });
      await form.getByRole('textbox', { name: 'Name' }).fill('typed before the end');
      await form.getByRole('radio', { name: 'Everything the role allows' }).click();
      await endSessions();
      await form.getByRole('button', { name: 'Create key' }).click();
      await endedDialog(page).waitFor();
      await signInAgain(page);
      expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('typed before the end');
      await form.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('us_live_').or(page.locator('input[value^="us_live_"]')).first().waitFor();
    });

    it('that ends elsewhere is noticed when the tab becomes visible', async () => {
      const page = await dashboard().open('/');
      await overview(page).waitFor();
      await endSessions();
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await endedDialog(page).waitFor();
      await signInAgain(page);
      await overview(page).waitFor();
    });

    it('ends and continues in all tabs of a browser', async () => {
      const first = await dashboard().open('/');
      await overview(first).waitFor();
      const second = await first.context().newPage();
      await second.goto(`${dashboard().url}/dashboard/agents`);
      await second.getByRole('heading', { name: 'Agents' }).waitFor();
      await second.getByRole('button', { name: 'Acme' }).click();
      await second.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await second.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
      await endedDialog(first).waitFor();
      await signInAgain(first);
      await second.getByRole('heading', { name: 'Overview' }).waitFor();
    });

    it('of another organisation replaces everything that the page showed', async () => {
      const page = await dashboard().open('/agents');
      await page.getByRole('heading', { name: 'Agents' }).waitFor();
      await endSessions();
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await endedDialog(page)
        .getByRole('textbox', { name: 'API key' })
        .fill(dashboard().system.of('Other').token);
      await endedDialog(page).getByRole('button', { name: 'Sign in' }).click();
      await overview(page).waitFor();
      await page.getByText('The state of Other.').waitFor();
      expect(new URL(page.url()).pathname).toBe('/dashboard/');
    });

    it('ends soon: a warning comes 2 minutes before, and one click keeps the session', async () => {
      const page = await dashboard().open('/');
      await overview(page).waitFor();
      await loadIdle(page, 58 * 60 + 30);
      await warning(page).waitFor();
      await warning(page)
        .getByText(/^Time left: [01]:\d\d$/)
        .waitFor();
      await checkAccessibility(page, 'session warning', '[role=dialog]');
      expect(await hasFocus(warning(page).getByRole('button', { name: 'Close' }))).toBe(false);
      await warning(page).getByRole('button', { name: 'Stay signed in' }).click();
      await warning(page).waitFor({ state: 'detached' });
    });

    it('is not judged by the clock of the browser, which may show another year', async () => {
      const page = await dashboard().open('/', { browser: {} });
      await overview(page).waitFor();
      await page.clock.install({ time: '2040-01-01T00:00:00Z' });
      await page.reload();
      await overview(page).waitFor();
      await page.clock.runFor(61_000);
      expect(await warning(page).count()).toBe(0);
      await loadIdle(page, 58 * 60 + 30);
      await warning(page).waitFor();
      await warning(page).getByRole('button', { name: 'Stay signed in' }).click();
      await warning(page).waitFor({ state: 'detached' });
    });

    it('that is 12 hours old cannot be extended, and the warning explains it', async () => {
      const page = await dashboard().open('/');
      await overview(page).waitFor();
      await database().query(`UPDATE dashboard_sessions SET ends_at = now() + interval '90 seconds'`);
      await page.reload();
      await warning(page).getByText('A session lasts at most 12 hours.').waitFor();
      await warning(page).getByRole('button', { name: 'Continue until the end' }).click();
      await warning(page).waitFor({ state: 'detached' });
    });

    it('is accepted by the routes of the dashboard, and never by the API for programs', async () => {
      const page = await dashboard().open('/');
      await overview(page).waitFor();
      const statusOf = (path: string) =>
        page.evaluate(async (url) => (await fetch(url, { credentials: 'include' })).status, path);
      expect(await statusOf('/dashboard/v1/sync/jobs')).toBe(200);
      expect(await statusOf('/v1/sync/jobs')).toBe(401);
    });

    it('is listed with those of other browsers, and each of them can be ended', async () => {
      await endSessions();
      const page = await dashboard().open('/');
      const other = await dashboard().open('/');
      await overview(other).waitFor();
      await page.getByRole('button', { name: 'Acme' }).click();
      await page.getByRole('menuitem', { name: 'Sessions' }).click();
      const list = page.getByRole('dialog', { name: 'Sessions' });
      await list.getByText('This browser').waitFor();
      expect(await list.getByRole('listitem').count()).toBe(2);
      await list.getByRole('button', { name: /^End session of / }).click();
      const question = page.getByRole('dialog', { name: 'End this session?' });
      await question.getByRole('button', { name: 'End session' }).click();
      await list.getByText('There is no session in another browser.').waitFor();
      expect(await list.getByRole('listitem').count()).toBe(1);
      await other.reload();
      await other.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    });

    it('ends everywhere after a question', async () => {
      const page = await dashboard().open('/');
      const other = await dashboard().open('/');
      await overview(page).waitFor();
      await page.getByRole('button', { name: 'Acme' }).click();
      await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
      const question = page.getByRole('dialog', { name: 'Sign out of all browsers?' });
      await question.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
      await other.reload();
      await other.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    });
  },
  { organizations: ['Acme', 'Other'] },
);
