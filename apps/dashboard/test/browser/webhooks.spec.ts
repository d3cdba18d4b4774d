import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { titleAndFocus } from '../harness/page-checks.js';
import { Receiver } from '../harness/receiver.js';

describeDashboard('the webhooks', (dashboard) => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.stop());

  const createWebhook = () =>
    dashboard().call<{ id: string }>('POST', '/webhooks', { url: receiver.url, events: ['sync.completed'] });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

  it('explain themselves while there is none', async () => {
    const page = await dashboard().open('/webhooks');
    await page.getByText('No webhook yet').waitFor();
    await expect(titleAndFocus(page)).resolves.toMatchObject({ title: 'Webhooks · Understudy' });
  });

  it('[6/1] are added, tested, and send a refused delivery again until it arrives', async () => {
    const page = await dashboard().open('/webhooks');
    await button(page, 'Add webhook').first().click();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'Slack: a message for an incoming webhook' }).click();
    await page.getByRole('checkbox', { name: 'snapshot.created' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await expect(page.getByRole('textbox', { name: 'Signing secret' }).inputValue()).resolves.toMatch(
      /^whsec_/,
    );
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('webhooks.verify').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: receiver.url }).waitFor();
    await checkAccessibility(page, 'webhooks');

    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    await button(page, 'Send test event').click();
    await page.getByRole('cell', { name: '500, refused by the receiver' }).waitFor();
    await checkAccessibility(page, 'webhook');
    await page.getByRole('link', { name: 'webhook.test' }).click();
    await page.getByRole('heading', { name: 'Delivery' }).waitFor();
    await page.getByText('X-Service-Signature').waitFor();
    await page.getByText('"blocks":').waitFor();
    await checkAccessibility(page, 'delivery');

    receiver.status = 204;
    await button(page, 'Send again').click();
    await page.getByText('Delivered', { exact: true }).first().waitFor();
    await page.getByText('Repeats the delivery').waitFor();
    expect(new Set(receiver.eventIds).size).toBe(1);
  });

  it('send all failed deliveries again, once for each event', async () => {
    const { id } = await createWebhook();
    await dashboard().call('POST', `/webhooks/${id}/test`);
    await dashboard().call('POST', `/webhooks/${id}/test`);
    const page = await dashboard().open(`/webhooks/${id}`);
    await button(page, 'More actions').click();
    await menuItem(page, 'Disable').click();
    await button(page, 'Disable webhook').click();
    await page.getByText('The webhook was disabled by hand').waitFor();
    await button(page, 'More actions').click();
    await menuItem(page, 'Enable').click();
    await page.getByText('The webhook was disabled by hand').waitFor({ state: 'detached' });

    const refused = receiver.eventIds.length;
    receiver.status = 204;
    await button(page, 'Send failed again').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('2 events are sent again.', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByText('2 deliveries').waitFor();
    expect(page.url()).toContain('status=failed');
    await page.reload();
    await page.getByText('2 deliveries').waitFor();
    await receiver.received(refused + 2);
    expect(new Set(receiver.eventIds.slice(refused)).size).toBe(2);
  });

  it('[5/5] show a new secret after a rotation, and are deleted', async () => {
    const { id } = await createWebhook();
    const page = await dashboard().open(`/webhooks/${id}`);
    await button(page, 'More actions').click();
    await menuItem(page, 'Rotate secret').click();
    await button(page, 'Rotate secret').click();
    await expect(page.getByRole('textbox', { name: 'Signing secret' }).inputValue()).resolves.toMatch(
      /^whsec_/,
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByText('The old secret is valid until').waitFor();
    await button(page, 'More actions').click();
    await menuItem(page, 'Delete').click();
    await button(page, 'Delete webhook').click();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    await page.getByRole('link', { name: receiver.url }).waitFor({ state: 'detached' });
  });

  it('keep what was typed if the URL is refused, and name the reason at the field', async () => {
    const page = await dashboard().open('/webhooks');
    await button(page, 'Add webhook').first().click();
    const url = page.getByRole('textbox', { name: 'URL' });
    await url.fill('ftp://example.com/');
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText(/expected .*https/).waitFor();
    await expect(url.inputValue()).resolves.toBe('ftp://example.com/');
    await expect(url.getAttribute('aria-invalid')).resolves.toBe('true');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect(titleAndFocus(page)).resolves.toMatchObject({ focus: 'Add webhook' });
  });
});
