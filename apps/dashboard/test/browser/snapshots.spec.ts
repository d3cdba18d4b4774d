import { restoredCustomers, withLock } from '@understudy/testing';
import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { APPEARANCES, describeDashboard } from '../harness/dashboard-test.js';
import { checkNoSidewaysScrolling, tabTo, titleAndFocus, waitForFocus } from '../harness/page-checks.js';
import { seedSnapshot, seedSnapshots } from '../harness/seed-snapshots.js';

/** Each state is checked in two looks that together have both themes and both widths. */
const LOOKS = APPEARANCES.filter(({ theme, width }) => (theme === 'light') === (width === 1280));

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });
const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
};

describeDashboard(
  'the snapshots',
  (dashboard) => {
    it.each(LOOKS)('explain themselves while there is none, in $theme $width', async (appearance) => {
      const page = await dashboard().open('/snapshots', appearance);
      await page.getByText('No snapshot yet').waitFor();
      await heading(page, 'Snapshots').waitFor();
      await expect(titleAndFocus(page)).resolves.toMatchObject({ title: 'Snapshots · Understudy' });
      await checkAccessibility(page, `snapshots, none, ${appearance.theme} ${appearance.width}`);
    });

    it('are created, watched and restored by the visible texts', async () => {
      const { databases } = dashboard().organization;
      const page = await dashboard().open('/snapshots');
      await button(page, 'New snapshot').click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Before the migration');
      await choose(page, 'Database', 'agent:shop');
      await page.getByRole('radio', { name: 'Chosen tables' }).click();
      await inDialog(page, 'Create snapshot').click();
      await page.getByText('Enter at least one table').waitFor();
      await page.getByRole('textbox', { name: 'Tables' }).fill('customers\n\nstock');
      await withLock(databases.shop, 'customers', async () => {
        await inDialog(page, 'Create snapshot').click();
        await heading(page, 'Before the migration').waitFor();
        await button(page, 'Cancel snapshot').waitFor();
        await page.getByText('Creating', { exact: true }).waitFor();
      });
      await page.getByText('Ready', { exact: true }).waitFor();
      await expect(titleAndFocus(page)).resolves.toMatchObject({
        title: 'Before the migration · Understudy',
        focus: 'Before the migration',
      });
      await page.getByRole('group', { name: 'Tables of the snapshot' }).getByText('stock').waitFor();

      await button(page, 'Restore').click();
      await choose(page, 'Target database', 'agent:review');
      const confirmation = page.getByRole('textbox', { name: 'Type “review” to confirm' });
      await confirmation.fill('Review');
      await inDialog(page, 'Restore snapshot').click();
      await page.getByText('Expected “review”, the name of the target.').waitFor();
      await confirmation.fill('review');
      await inDialog(page, 'Restore snapshot').click();
      await heading(page, 'Restore into review').waitFor();
      await page.getByText('review now contains the snapshot and nothing else.').waitFor();
      await expect(restoredCustomers(databases)).resolves.toHaveLength(300);

      await page.getByRole('link', { name: 'Before the migration' }).click();
      await button(page, 'Restore').click();
      await choose(page, 'Target database', 'agent:review');
      await confirmation.fill('review');
      await inDialog(page, 'Restore snapshot').click();
      await page.getByText('The restore was refused, and nothing was changed').waitFor();
      await page.getByText('The target database contains tables').waitFor();
      await checkAccessibility(page, 'snapshots, refused restore');
      await page.getByRole('checkbox', { name: 'Replace a target that contains tables' }).click();
      await inDialog(page, 'Restore snapshot').click();
      await page.getByText('its agent keeps the replaced database').waitFor();
    });

    it('are created and cancelled with the keyboard only', async () => {
      const page = await dashboard().open('/snapshots');
      await tabTo(page, button(page, 'New snapshot'));
      await page.keyboard.press('Enter');
      await waitForFocus(page.getByRole('textbox', { name: 'Name', exact: true }));
      await page.keyboard.type('By keyboard');
      await tabTo(page, page.getByRole('combobox', { name: 'Database', exact: true }));
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: 'agent:shop' }).waitFor();
      await page.keyboard.type('agent:shop');
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('textbox', { name: 'Expires after' }));
      await page.keyboard.press('ArrowUp');
      await withLock(dashboard().organization.databases.shop, 'customers', async () => {
        await tabTo(page, inDialog(page, 'Create snapshot'));
        await page.keyboard.press('Enter');
        await waitForFocus(heading(page, 'By keyboard'));
        await tabTo(page, button(page, 'Cancel snapshot'));
        await page.keyboard.press('Enter');
        await tabTo(page, inDialog(page, 'Cancel snapshot'));
        await page.keyboard.press('Enter');
        await heading(page, 'Snapshots').waitFor();
      });
      await page.getByRole('link', { name: 'By keyboard' }).waitFor({ state: 'detached' });
    });

    it('are shown without actions to a viewer', async () => {
      const { token } = await dashboard().call<{ token: string }>('POST', '/tokens', {
        name: 'viewer',
        role: 'viewer',
      });
      const page = await dashboard().open('/snapshots', { token });
      await page.getByRole('link', { name: 'Before the migration' }).click();
      await page.getByText('Ready', { exact: true }).waitFor();
      await expect(page.getByRole('button', { name: /snapshot|Restore/ }).count()).resolves.toBe(0);
    });
  },
  { agents: true },
);

describeDashboard('snapshots in every state', (dashboard) => {
  it.each(LOOKS)('are accessible in the theme $theme at $width pixels', async (appearance) => {
    const { control } = dashboard().organization.databases;
    await control.query('DELETE FROM snapshots');
    const ids = await seedSnapshots(dashboard());
    const database = { database_display: 'x'.repeat(63) };
    await seedSnapshot(dashboard(), 6, '<b onclick="x">bold</b>', database);
    await seedSnapshot(dashboard(), 7, 'مفتاح النسخ الاحتياطي', {});
    const page = await dashboard().open('/snapshots', appearance);
    const check = (part: string) =>
      checkAccessibility(page, `snapshots, ${part}, ${appearance.theme} ${appearance.width}`);
    const show = async (path: string, shown: string) => {
      await page.goto(`${dashboard().url}/dashboard/snapshots/${path}`);
      await page.getByText(shown).first().waitFor();
    };
    await page.getByText('<b onclick="x">bold</b>').waitFor();
    await check('list');
    await page.setViewportSize({ width: 320, height: 800 });
    await checkNoSidewaysScrolling(page);
    await page.setViewportSize({ width: appearance.width, height: 800 });
    await button(page, 'New snapshot').click();
    await inDialog(page, 'Create snapshot').click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor();
    await check('create');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect(titleAndFocus(page)).resolves.toMatchObject({ focus: 'New snapshot' });

    await show(ids.creating, '61 %');
    await check('creating');
    await show(ids.failed, 'Error code: permission_denied');
    await check('failed');
    await show(`${ids.ready}/restores/${ids.restoring}`, 'A restore cannot be cancelled.');
    await check('restore, running');
    await show(`${ids.ready}/restores/${ids.refused}`, 'The restore failed, and the target is unchanged');
    await check('restore, failed');
    await show(ids.ready, 'sales.customers');
    await check('ready');
    await page.setViewportSize({ width: 320, height: 800 });
    await checkNoSidewaysScrolling(page);
    await button(page, 'Restore').click();
    await page.getByRole('textbox', { name: 'Target database' }).fill('postgresql://db.example.com/review');
    await page.getByRole('textbox', { name: 'Type “review” to confirm' }).waitFor();
    await check('restore');
    await checkNoSidewaysScrolling(page);
  });

  it('report an unknown snapshot with what to do', async () => {
    const page = await dashboard().open('/snapshots/snap_01ARZ3NDEKTSV4RRFFQ69G5FAV');
    await page.getByRole('alert').getByText('This does not exist').waitFor();
  });
});
