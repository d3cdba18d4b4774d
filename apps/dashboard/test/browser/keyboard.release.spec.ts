import type { Page } from 'playwright-core';

import { describeDashboard } from '../harness/dashboard-test.js';
import { tabTo, titleAndFocus } from '../harness/page-checks.js';

describeDashboard(
  'with the keyboard only',
  (dashboard) => {
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

    it('API keys are created, and the focus returns to the page', async () => {
      const page = await dashboard().open('/api-keys');
      await tabTo(page, button(page, 'Create key').first());
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('dialog').getByRole('textbox', { name: 'Name' }));
      await page.keyboard.type('keyboard');
      await tabTo(page, page.getByRole('radio').first());
      await page.keyboard.press('ArrowDown');
      await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Create key' }));
      await page.keyboard.press('Enter');
      await page.getByText('is not shown again').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button(page, 'Actions for keyboard').waitFor();
      await expect(titleAndFocus(page)).resolves.toMatchObject({ focus: 'Create key' });
    });

    it('agents are opened', async () => {
      const page = await dashboard().open('/agents');
      const { agents } = await dashboard().call<{ agents: { name: string }[] }>('GET', '/agents');
      const name = agents[0]?.name ?? '';
      await tabTo(page, page.getByRole('link', { name }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name }).waitFor();
      await tabTo(page, button(page, 'Revoke'));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect(titleAndFocus(page)).resolves.toMatchObject({ focus: 'Revoke' });
    });

    it('models are opened', async () => {
      const page = await dashboard().open('/models?kind=list&locale=ja_JP');
      const link = page.getByRole('link', { name: /^ja_JP\// }).first();
      await tabTo(page, link);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /^ja_JP\// }).waitFor();
      await tabTo(page, button(page, 'Other values'));
    });
  },
  { agents: true },
);
