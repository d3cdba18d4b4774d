import { NgramTrainer } from '@understudy/ngram';
import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { tabTo, titleAndFocus } from '../harness/page-checks.js';

const NAMES = ['Anna', 'Anton', 'Berta', 'Bernd', 'Carla', 'Clara', 'Dora', 'Doris', 'Emil', 'Emma'];

function modelFile(): Buffer {
  const trainer = new NgramTrainer({ order: 3, name: 'names', locale: 'de_DE', originals: 'none' });
  for (const name of NAMES) trainer.add(name);
  return Buffer.from(trainer.finish());
}

describeDashboard('the models', (dashboard) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const file = (buffer: Buffer) => ({ name: 'names.ngram', mimeType: 'application/octet-stream', buffer });

  it('are filtered by the address, and show their samples and privacy', async () => {
    const page = await dashboard().open('/models?kind=ngram&locale=en_US');
    await page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
    await expect(titleAndFocus(page)).resolves.toMatchObject({ title: 'Models · Understudy' });
    await page.getByRole('link', { name: 'en_US/first_names', exact: true }).click();
    await page.getByText('Distinct training values').waitFor();
    const samples = page.getByRole('region', { name: 'Sample values' }).getByRole('listitem');
    await samples.first().waitFor();
    const before = await samples.allTextContents();
    expect(before).toHaveLength(24);
    await button(page, 'Other values').click();
    await samples.first().waitFor();
    await expect(samples.allTextContents()).resolves.not.toEqual(before);
    await page.goBack();
    await page.getByRole('combobox', { name: 'Kind' }).getByText('N-gram model').waitFor();
  });

  it('are uploaded and deleted, and a file that is not a model is refused at its field', async () => {
    const page = await dashboard().open('/models?type=custom');
    await page.getByText('No uploaded model').waitFor();
    await checkAccessibility(page, 'models, empty');
    await button(page, 'Upload model').first().click();
    await page.getByLabel('Model file').setInputFiles(file(Buffer.from('not a model')));
    await page.getByRole('dialog').getByRole('button', { name: 'Upload model' }).click();
    await page.getByText(/not a usable .ngram file/).waitFor();
    await checkAccessibility(page, 'models, refused file');
    await page.getByLabel('Model file').setInputFiles(file(modelFile()));
    await page.getByRole('dialog').getByRole('button', { name: 'Upload model' }).click();
    await page.getByRole('heading', { name: 'custom/names', exact: true }).waitFor();
    await page.getByText('Distinct training values').waitFor();
    await button(page, 'Delete').click();
    await button(page, 'Delete model').click();
    await page.getByText('No uploaded model').waitFor();
  });

  it('are opened with the keyboard only', async () => {
    const page = await dashboard().open('/models?kind=list&locale=ja_JP');
    const link = page.getByRole('link', { name: /^ja_JP\// }).first();
    await tabTo(page, link);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^ja_JP\// }).waitFor();
    await tabTo(page, button(page, 'Other values'));
  });

  it('explain private models', async () => {
    const page = await dashboard().open('/models?type=private');
    await page.getByText('The model stays on the agent.').waitFor();
  });

  it('are accessible', async () => {
    const page = await dashboard().open('/models');
    await page.getByRole('link').filter({ hasText: '/' }).first().waitFor();
    await checkAccessibility(page, 'models');
    await page.goto(`${dashboard().url}/dashboard/models/en_US/first_names`);
    await page.getByRole('listitem').first().waitFor();
    await page.getByText('Distinct training values').waitFor();
    await checkAccessibility(page, 'model');
  });
});
