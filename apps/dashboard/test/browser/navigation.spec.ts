import type { Page } from 'playwright-core';

import { checkAccessibility, NARROW } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { checkVisibleFocus, hasFocus, tabTo, titleAndFocus } from '../harness/page-checks.js';

describeDashboard('the navigation', (dashboard) => {
  const link = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

  it('moves the title and the focus to the new page, also with the back and forward buttons', async () => {
    const page = await dashboard().open('/');
    await heading(page, 'Overview').waitFor();
    expect(await page.title()).toBe('Overview · Understudy');
    const at = async (name: string) => {
      await heading(page, name).and(page.locator(':focus')).waitFor();
      expect(await titleAndFocus(page)).toEqual({ title: `${name} · Understudy`, focus: name });
      expect(await link(page, name).getAttribute('aria-current')).toBe('page');
    };
    await link(page, 'Agents').click();
    await at('Agents');
    await link(page, 'API keys').click();
    await at('API keys');
    expect(await link(page, 'Agents').getAttribute('aria-current')).toBeNull();
    await page.goBack();
    await at('Agents');
    await page.goForward();
    await at('API keys');
  });

  it('works with the keyboard only, and shows where the focus is', async () => {
    const page = await dashboard().open('/');
    await heading(page, 'Overview').waitFor();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    expect(await hasFocus(skip)).toBe(true);
    await checkVisibleFocus(page);
    await tabTo(page, link(page, 'Agents'));
    await checkVisibleFocus(page);
    await page.keyboard.press('Enter');
    await heading(page, 'Agents').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await checkVisibleFocus(page);
  });

  it('can be skipped', async () => {
    const page = await dashboard().open('/');
    await heading(page, 'Overview').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await hasFocus(page.getByRole('main'))).toBe(true);
  });

  it('is behind a button on a narrow screen, and closes after a choice and with Escape', async () => {
    const page = await dashboard().open('/', { width: 390 });
    const open = page.getByRole('button', { name: 'Open the menu' });
    const close = page.getByRole('button', { name: 'Close the menu' });
    await heading(page, 'Overview').waitFor();
    expect(await link(page, 'Agents').isVisible()).toBe(false);
    await open.click();
    await link(page, 'Agents').waitFor();
    await checkAccessibility(page, 'navigation, open', undefined, [NARROW]);
    await page.keyboard.press('Escape');
    await open.waitFor();
    expect(await hasFocus(open)).toBe(true);
    await open.click();
    await link(page, 'Agents').click();
    await heading(page, 'Agents').waitFor();
    await open.waitFor();
    expect(await close.count()).toBe(0);
  });

  it('shows only screens that the role and the scopes allow', async () => {
    const create = async (body: { role: string; scopes?: readonly string[] }) =>
      (await dashboard().call<{ token: string }>('POST', '/tokens', { name: body.role, ...body })).token;
    const names = async (token: string) => {
      const page = await dashboard().open('/', { token });
      await heading(page, 'Overview').waitFor();
      return page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
    };
    const viewer = await names(await create({ role: 'viewer' }));
    expect(viewer).toContain('Agents');
    expect(viewer).not.toContain('API keys');
    expect(await names(await create({ role: 'admin', scopes: ['generate'] }))).toEqual([
      'Overview',
      'Playground',
    ]);
  });

  it('keeps its marks with the colours of the system', async () => {
    const page = await dashboard().open('/', { browser: { forcedColors: 'active' } });
    await heading(page, 'Overview').waitFor();
    await tabTo(page, link(page, 'Agents'));
    await checkVisibleFocus(page);
    await checkAccessibility(page, 'overview, forced colours');
  });

  it('keeps the theme that the reader chose, before the page is painted', async () => {
    const page = await dashboard().open('/');
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await heading(page, 'Overview').waitFor();
    const light = await background();
    await page.getByRole('radio', { name: 'Dark' }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload({ waitUntil: 'commit' });
    await page.locator('body').waitFor({ state: 'attached' });
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await heading(page, 'Overview').waitFor();
    expect(await background()).toBe(dark);
    await page.getByRole('radio', { name: 'System' }).click();
    expect(await background()).toBe(light);
  });

  it('needs JavaScript, and reports it without it', async () => {
    const page = await dashboard().open('/', { browser: { javaScriptEnabled: false } });
    expect(await page.locator('body').innerText()).toContain('The dashboard needs JavaScript.');
  });
});
