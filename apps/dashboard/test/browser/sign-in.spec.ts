import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { tabTo, titleAndFocus } from '../harness/page-checks.js';

describeDashboard('the sign-in page', (dashboard) => {
  const token = () => dashboard().organization.token;
  const keyField = (page: Page) => page.getByRole('textbox', { name: 'API key' });
  const submit = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

  it('is accessible', async () => {
    const page = await dashboard().open('/sign-in', { token: null });
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await checkAccessibility(page, 'sign-in');
    await keyField(page).fill('wrong');
    await submit(page).click();
    await page.getByText('This API key is not valid').waitFor();
  });

  it('opens the overview with an API key', async () => {
    const page = await dashboard().open('/sign-in', { token: null });
    await keyField(page).fill(token());
    await submit(page).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await expect(titleAndFocus(page)).resolves.toEqual({ title: 'Overview · Understudy', focus: 'Overview' });
    expect(new URL(page.url()).pathname).toBe('/dashboard/');
  });

  it('works with the keyboard only', async () => {
    const page = await dashboard().open('/sign-in', { token: null });
    await tabTo(page, keyField(page));
    await page.keyboard.type(token());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('sends a visitor of another page there after the sign-in', async () => {
    const page = await dashboard().open('/nowhere?x=1', { token: null });
    await keyField(page).fill(token());
    await submit(page).click();
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    expect(page.url()).toMatch(/\/dashboard\/nowhere\?x=1$/);
  });

  it.each(['//example.com/', '/\\example.com', 'https://example.com', 'javascript:alert(1)'])(
    'ignores the address %s as the next page',
    async (address) => {
      const page = await dashboard().open(`/sign-in?return_to=${encodeURIComponent(address)}`, {
        token: null,
      });
      await keyField(page).fill(token());
      await submit(page).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/dashboard/');
    },
  );

  it.each([
    ['not_a_member', 'You are not a member of an organisation'],
    ['<script>', 'The sign-in failed'],
  ])('explains the error %s of a provider', async (error, title) => {
    const page = await dashboard().open(`/sign-in?error=${encodeURIComponent(error)}`, { token: null });
    await page.getByRole('alert').getByText(title).waitFor();
  });
});
