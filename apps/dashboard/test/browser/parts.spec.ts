import type { Page } from 'playwright-core';

import { checkAccessibility, NARROW, WIDE } from '../harness/accessibility.js';
import { describeDashboard, type OpenOptions } from '../harness/dashboard-test.js';
import { checkVisibleFocus } from '../harness/page-checks.js';
import { checkFocusAfterMenu, checkPopups, expectFocus } from '../harness/popups.js';

const FORM_ERROR = 'A mock endpoint with this path exists. Choose another path.';

/** Shows what does not hide the rest of the page, all in one state. */
async function showMessages(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByText('Fill in this field.').waitFor();
  await page.getByRole('button', { name: 'Error', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Dismiss' }).waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Endpoint deleted').waitFor();
  await page.getByRole('button', { name: 'Show as table' }).last().click();
  await page.getByRole('table', { name: 'API calls by day' }).waitFor();
  await page.getByRole('button', { name: 'Hover here' }).hover();
  await page.getByText('Copies of this table are compared by checksum').waitFor();
}

describeDashboard('the parts', (dashboard) => {
  const open = async (path: string, options: OpenOptions = {}) => {
    const page = await dashboard().open(path, { ...options, token: null });
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };

  it('are accessible, with their messages', async () => {
    const page = await open('/parts');
    await showMessages(page);
    await checkAccessibility(page, 'parts, messages', undefined, [WIDE, NARROW], 'with contrast');
  });

  it('are accessible while they are open', async () => {
    await checkPopups(await open('/parts'), 'dark look of all and light look of two');
  });

  it('give the focus to the first field of a dialog, and back to the button when Escape closes it', async () => {
    const page = await open('/parts');
    const opener = page.getByRole('button', { name: 'Open dialog' });
    await opener.press('Enter');
    const field = page.getByLabel('Key name');
    await expectFocus(page, field);
    await page.keyboard.press('Shift+Tab');
    await expectFocus(page, page.getByRole('dialog').getByRole('button', { name: 'Close' }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(page, opener);
  });

  it('keep the focus in a dialog that a menu opens, even if the menu fades out long after that', async () => {
    await checkFocusAfterMenu(await open('/parts', { browser: { reducedMotion: 'no-preference' } }), 0.05);
  });

  it('confirm a dangerous action only after the name was typed', async () => {
    const page = await open('/parts');
    await openWith(page, 'Open typed confirmation', 'Delete the endpoint?');
    const confirm = page.getByRole('button', { name: 'Delete endpoint' });
    const field = page.getByLabel('Type “orders” to confirm');
    await field.fill('order');
    expect(await confirm.isDisabled()).toBe(true);
    await field.press('Enter');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await field.fill('orders');
    await field.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('give the focus to the first field with an error, also if the API reports it', async () => {
    const page = await open('/parts');
    const create = page.getByRole('button', { name: 'Create endpoint' });
    await create.press('Enter');
    const name = page.getByLabel('Endpoint name');
    await expectFocus(page, name);
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await describedBy(page, 'Endpoint name')).toContain('Fill in this field.');
    await name.fill('orders');
    await name.press('Enter');
    await page.getByText(FORM_ERROR).waitFor();
    await expectFocus(page, page.getByLabel('Path'));
    expect(await describedBy(page, 'Path')).toContain(FORM_ERROR);
  });

  it('choose with arrow keys and return the focus', async () => {
    const page = await open('/parts');
    const select = page.getByRole('combobox', { name: 'Agent', exact: true });
    await select.press('Enter');
    await page.getByRole('option').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expectFocus(page, select);
    expect(await select.textContent()).toContain('Any agent');

    const combobox = page.getByRole('combobox', { name: 'Database' });
    await combobox.fill('_399');
    await page.getByRole('option', { name: 'customers_399' }).waitFor();
    await combobox.and(page.locator('[aria-activedescendant]')).waitFor(); // Enter takes the marked option
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'customers_399' }).waitFor({ state: 'hidden' });
    expect(await combobox.inputValue()).toBe('customers_399');

    const menu = page.getByRole('button', { name: 'Actions for job_01' });
    await menu.press('Enter');
    await expectFocus(page, page.getByRole('menuitem', { name: 'Clone' }));
    await page.keyboard.press('Escape');
    await expectFocus(page, menu);

    const account = page.getByRole('button', { name: 'Acme' });
    await account.press('Enter');
    await expectFocus(page, page.getByRole('menuitem', { name: 'API keys' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Delete the endpoint?' }).waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(page, account);

    const tables = page.getByRole('tab', { name: /Tables/ });
    await tables.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('The content of attempts.').waitFor();
  });

  it('show which control has the focus', async () => {
    const page = await open('/parts');
    await page.getByRole('heading', { level: 1 }).focus();
    for (let presses = 0; presses < 45; presses++) {
      await page.keyboard.press('Tab');
      await checkVisibleFocus(page);
    }
  });

  it('announce progress at most every five seconds', async () => {
    const page = await open('/parts', { browser: {} });
    await page.clock.install();
    // Without the pause, the time of the presses counts, too.
    await page.clock.pauseAt(Date.now() + 60_000);
    const copy = page.getByRole('button', { name: 'Copy one more table' });
    const announced = page.getByText(/of 40 tables are copied/);
    await copy.press('Enter');
    expect(await announced.textContent()).toBe('1 of 40 tables are copied');
    expect(await announced.getAttribute('aria-live')).toBe('polite');
    await copy.press('Enter');
    await copy.press('Enter');
    await page.clock.runFor(4_000);
    expect(await announced.textContent()).toBe('1 of 40 tables are copied');
    await page.clock.runFor(1_000);
    await page.getByText('3 of 40 tables are copied').waitFor();
  });

  it('copy a text and announce it', async () => {
    const page = await open('/parts', { browser: { permissions: ['clipboard-read', 'clipboard-write'] } });
    const field = page.getByLabel('Signing secret');
    expect(await field.inputValue()).not.toContain('whsec');
    await field.locator('..').getByRole('button', { name: 'Copy' }).press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('whsec_4f9c2d1e8a7b6c5d');
    await page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
    expect(await field.inputValue()).toBe('whsec_4f9c2d1e8a7b6c5d');
  });

  it('show names with HTML as text', async () => {
    const page = await open('/parts');
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('draw only the visible rows of 50,000, keep the row with the focus, and sort by figures in both directions', async () => {
    const page = await open('/parts/large-table');
    const drawn = page.locator('tr[data-index]');
    await drawn.first().waitFor();
    expect(await drawn.count()).toBeLessThan(100);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('50001');

    await page.getByRole('link', { name: 'public.table_3', exact: true }).focus();
    await page.evaluate(() => window.scrollTo(0, 1_000_000));
    await page.getByText('public.table_25000', { exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('public.table_3');
    expect(await drawn.count()).toBeLessThan(100);

    await page.keyboard.press('Control+End');
    await page.getByText('public.table_49999', { exact: true }).waitFor();

    const header = page.getByRole('columnheader', { name: 'Rows' });
    expect(await header.getAttribute('aria-sort')).toBe('none');
    await header.getByRole('button').press('Enter');
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await page.keyboard.press('Control+Home');
    await page.locator('tr[data-index="0"]', { hasText: 'public.table_0' }).waitFor();
    await header.getByRole('button').press('Enter');
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    await page.locator('tr[data-index="0"]', { hasText: '49,999' }).waitFor();
  });
});

async function openWith(page: Page, button: string, title: string): Promise<void> {
  await page.getByRole('button', { name: button }).press('Enter');
  await page.getByRole('heading', { name: title }).waitFor();
}

/** The texts that describe a field for screen readers. */
async function describedBy(page: Page, label: string): Promise<string> {
  return page.getByLabel(label).evaluate((field) =>
    (field.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );
}
