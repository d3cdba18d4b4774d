import { restoredCustomers, withLock } from '@understudy/testing';
import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { titleAndFocus, waitForFocus } from '../harness/page-checks.js';
import { seedSnapshot, seedSnapshots, type SeededSnapshots } from '../harness/seed-snapshots.js';

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
    it('explain themselves while there is none', async () => {
      const page = await dashboard().open('/snapshots');
      await page.getByText('No snapshot yet').waitFor();
      await heading(page, 'Snapshots').waitFor();
      await expect(titleAndFocus(page)).resolves.toMatchObject({ title: 'Snapshots · Understudy' });
    });

    it('are created, watched and restored by the visible texts', async () => {
      const { databases } = dashboard().organization;
      const page = await dashboard().open('/snapshots');
      await button(page, 'New snapshot').first().click();
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
      await page.getByRole('checkbox', { name: 'Replace a target that contains tables' }).click();
      await inDialog(page, 'Restore snapshot').click();
      await page.getByText('its agent keeps the replaced database').waitFor();
      await page.getByRole('link', { name: 'Before the migration' }).click();
      const restores = page.getByRole('table', { name: 'Restores of the snapshot' });
      await restores
        .getByRole('row', { name: /review Completed/ })
        .nth(1)
        .waitFor();
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
  let ids: SeededSnapshots;
  beforeAll(async () => {
    ids = await seedSnapshots(dashboard());
    const database = { database_display: 'x'.repeat(63) };
    await seedSnapshot(dashboard(), 6, '<b onclick="x">bold</b>', database);
    await seedSnapshot(dashboard(), 7, 'مفتاح النسخ الاحتياطي', {});
  });

  it('are accessible in the list and in the form', async () => {
    const page = await dashboard().open('/snapshots');
    await page.getByText('<b onclick="x">bold</b>').waitFor();
    await checkAccessibility(page, 'snapshots, list');
    await choose(page, 'Status', 'Ready');
    await page.getByText('2 snapshots').waitFor();
    await page.getByRole('searchbox', { name: 'Name contains' }).fill('MIGRATION');
    await page.getByText('1 snapshot', { exact: true }).waitFor();
    expect(page.url()).toContain('status=ready&name=MIGRATION');
    await page.getByRole('searchbox', { name: 'Name contains' }).fill('no such snapshot');
    await page.getByText('No snapshot matches').waitFor();
    await button(page, 'New snapshot').first().click();
    await inDialog(page, 'Create snapshot').click();
    await waitForFocus(page.getByRole('textbox', { name: 'Name', exact: true }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect(titleAndFocus(page)).resolves.toMatchObject({ focus: 'New snapshot' });
  });

  it('are accessible on their pages', async () => {
    const page = await dashboard().open(`/snapshots/${ids.creating}`);
    await page.getByText('61 %').waitFor();
    await checkAccessibility(page, 'snapshot, creating');
    await page.goto(`${dashboard().url}/dashboard/snapshots/${ids.failed}`);
    await page.getByText('Error code: permission_denied').waitFor();
    await page.goto(`${dashboard().url}/dashboard/snapshots/${ids.ready}`);
    await page.getByText('sales.customers').waitFor();
    await page.getByRole('table', { name: 'Restores of the snapshot' }).waitFor();
    await checkAccessibility(page, 'snapshot, ready');
    await button(page, 'Restore').click();
    const target = page.getByRole('textbox', { name: 'Target database' });
    expect(await target.getAttribute('type')).toBe('password');
    await target.fill('postgresql://me:secret@db.example.com/review');
    expect(await page.getByText('secret').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Type “review” to confirm' }).waitFor();
    await checkAccessibility(page, 'snapshot, restore dialog', '[role=dialog]');
    await button(page, 'Show Target database').click();
    expect(await target.getAttribute('type')).toBe('text');
    await button(page, 'Hide Target database').click();
    expect(await target.getAttribute('type')).toBe('password');
  });

  it('have accessible restores', async () => {
    const page = await dashboard().open(`/snapshots/${ids.ready}/restores/${ids.restoring}`);
    await page.getByText('A restore cannot be cancelled.').waitFor();
    await checkAccessibility(page, 'restore, running');
    await page.goto(`${dashboard().url}/dashboard/snapshots/${ids.ready}/restores/${ids.refused}`);
    await page.getByText('The restore failed, and the target is unchanged').waitFor();
  });

  it('report that a snapshot is deleted while its page is open', async () => {
    const page = await dashboard().open(`/snapshots/${ids.creating}`);
    await button(page, 'Cancel snapshot').waitFor();
    await dashboard().organization.databases.control.query('DELETE FROM snapshots WHERE id = $1', [
      ids.creating,
    ]);
    await page.getByText('The snapshot does not exist any more.').waitFor();
    await button(page, 'Cancel snapshot').waitFor({ state: 'detached' });
  });

  it('report an unknown snapshot with what to do', async () => {
    const page = await dashboard().open('/snapshots/snap_01ARZ3NDEKTSV4RRFFQ69G5FAV');
    await page.getByRole('alert').getByText('This does not exist').waitFor();
  });
});
