import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';

describeDashboard('an address with a secret', (dashboard) => {
  const visitor = { token: null };
  const overview = (page: Page) => page.getByRole('heading', { name: 'Overview' }).waitFor();
  let invited = 0;
  const invite = async () => {
    const email = `ada${++invited}@example.com`;
    const { id, invitation_token: secret } = await dashboard().call<{ id: string; invitation_token: string }>(
      'POST',
      '/org/members',
      { email, role: 'admin' },
    );
    return { id, email, secret };
  };
  /** Makes a member who has accepted the invitation, and a link that signs the member in. */
  const createLink = async () => {
    const { id, email, secret } = await invite();
    await dashboard().call('POST', '/org/members/accept', { token: secret });
    const { url } = await dashboard().system.createSignInLink(id);
    return { id, email, path: url.slice(url.indexOf('/dashboard') + '/dashboard'.length) };
  };

  it('of an invitation makes a member, shows the first API key once, and signs in', async () => {
    const { email, secret } = await invite();
    const page = await dashboard().open(`/accept-invitation#${secret}`, visitor);
    await page.getByText('Acme has invited you.').waitFor();
    await page.getByText(email, { exact: true }).waitFor();
    await page.getByText('Admin. Also manages agents').waitFor();
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ada');
    expect(page.url()).toMatch(/\/accept-invitation$/);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('heading', { name: 'You are a member now' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Your API key' }).inputValue()).toMatch(/^us_live_/);
    await page.getByRole('button', { name: 'I have stored it, continue' }).click();
    await overview(page);
    await page.getByRole('button', { name: 'Acme' }).click();
    await page.getByText(email).waitFor();
  });

  it('of an invitation that was used explains what to do', async () => {
    const { secret } = await invite();
    await dashboard().call('POST', '/org/members/accept', { token: secret });
    const page = await dashboard().open(`/accept-invitation#${secret}`, visitor);
    await page.getByRole('heading', { name: 'This invitation does not work any more' }).waitFor();
    await expect(page.getByRole('button', { name: 'Accept the invitation' }).count()).resolves.toBe(0);
  });

  it('without an invitation explains what is missing', async () => {
    const page = await dashboard().open('/accept-invitation', visitor);
    await page.getByRole('heading', { name: 'This address contains no invitation' }).waitFor();
  });

  it('of a one-time link signs in, leaves the address, and works once', async () => {
    const { email, path } = await createLink();
    const page = await dashboard().open(path, visitor);
    const submit = page.getByRole('button', { name: 'Sign in with this link' });
    await submit.waitFor();
    expect(page.url()).toMatch(/\/sign-in$/);
    await submit.click();
    await overview(page);
    await page.getByRole('button', { name: 'Acme' }).click();
    await page.getByText(email).waitFor();
    await page.goBack().catch(() => undefined); // there may be no earlier page
    expect(page.url()).not.toContain('link=');

    const second = await dashboard().open(path, visitor);
    await second.getByRole('button', { name: 'Sign in with this link' }).click();
    await second.getByRole('alert').getByText('This link does not work any more').waitFor();
    await second.getByRole('textbox', { name: 'API key' }).waitFor();
  });

  it('of a one-time link continues a session that has ended, if it is pasted into the page', async () => {
    const { id, path } = await createLink();
    const page = await dashboard().open(path, visitor);
    await page.getByRole('button', { name: 'Sign in with this link' }).click();
    await overview(page);
    await dashboard().organization.databases.control.query('DELETE FROM dashboard_sessions');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    const secret = ended.getByRole('textbox', { name: 'one-time link' });
    await secret.fill(`${dashboard().url}/dashboard${path}`);
    await ended.getByRole('button', { name: 'Sign in' }).click();
    await ended.getByText('This link does not work any more').waitFor();
    await secret.fill((await dashboard().system.createSignInLink(id)).url);
    await ended.getByRole('button', { name: 'Sign in' }).click();
    await ended.waitFor({ state: 'detached' });
    await overview(page);
  });

  it('of a one-time link does not replace a session unnoticed', async () => {
    const { path } = await createLink();
    const page = await dashboard().open(path);
    await page.getByRole('button', { name: 'Sign in with this link' }).waitFor();
    await page.reload();
    await overview(page);
    await page.getByRole('button', { name: 'Acme' }).click();
    await page.getByText('Signed in with an API key').waitFor();
  });

  it('shows accessible pages', async () => {
    const { secret } = await invite();
    const page = await dashboard().open(`/accept-invitation#${secret}`, visitor);
    const accept = page.getByRole('button', { name: 'Accept the invitation' });
    await accept.waitFor();
    await checkAccessibility(page, 'invitation');
    await accept.click();
    await page.getByRole('heading', { name: 'You are a member now' }).waitFor();
    await checkAccessibility(page, 'invitation accepted');
    const link = await dashboard().open('/sign-in#link=wrong', visitor);
    await link.getByRole('button', { name: 'Sign in with this link' }).click();
    await link.getByRole('alert').waitFor();
    await checkAccessibility(link, 'sign-in link refused');
  });
});
