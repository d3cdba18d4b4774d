import { readFileSync } from 'node:fs';

import { nextSymbols, NgramTrainer, readModel } from '@understudy/ngram';
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

/** The rows of the table, as `Symbols after` shows them. */
async function shares(page: Page, prefix: string): Promise<string[]> {
  const rows = page.getByRole('table', { name: `Symbols after "${prefix}"` }).getByRole('row');
  await rows.first().waitFor();
  return (await rows.allTextContents()).slice(1);
}

function expectedShares(file: Buffer, prefix: string): string[] {
  const { symbols } = nextSymbols(readModel(file), prefix);
  return symbols.map(
    ({ text = 'End of the value', probability }) => `${text}${(100 * probability).toFixed(1)} %`,
  );
}

describeDashboard('the models', (dashboard) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const file = (buffer: Buffer) => ({ name: 'names.ngram', mimeType: 'application/octet-stream', buffer });

  const upload = async (id: string, bytes: Buffer): Promise<void> => {
    const body = new FormData();
    body.set('name', id);
    body.set('file', new Blob([new Uint8Array(bytes)]), `${id}.ngram`);
    const headers = { authorization: `Bearer ${dashboard().organization.token}` };
    const response = await fetch(`${dashboard().system.baseUrl}/models`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
  };

  it('are filtered by the address, and show their samples and privacy', async () => {
    const page = await dashboard().open('/models?kind=ngram&locale=en_US');
    await page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
    await expect(titleAndFocus(page)).resolves.toMatchObject({ title: 'Models · Understudy' });
    await page.getByRole('link', { name: 'en_US/first_names', exact: true }).waitFor();
    await checkAccessibility(page, 'models');
    await page.getByRole('link', { name: 'en_US/first_names', exact: true }).click();
    await page.getByText('Distinct training values').waitFor();
    const samples = page.getByRole('region', { name: 'Sample values' }).getByRole('listitem');
    await samples.first().waitFor();
    const before = await samples.allTextContents();
    expect(before).toHaveLength(24);
    await button(page, 'Other values').click();
    await samples.first().waitFor();
    await expect(samples.allTextContents()).resolves.not.toEqual(before);
    await checkAccessibility(page, 'model');
    await page.goBack();
    await page.getByRole('combobox', { name: 'Kind' }).getByText('N-gram model').waitFor();
  });

  it('show what they generate after the beginning of a value, with the keyboard only', async () => {
    const page = await dashboard().open('/models/en_US/first_names');
    const field = page.getByRole('textbox', { name: 'Beginning of a value' });
    await tabTo(page, field);
    await page.keyboard.type('Mar');
    const after = page.getByRole('table', { name: 'Symbols after "Mar"' });
    await tabTo(page, after.getByRole('button', { name: 'Add y', exact: true }));
    await page.keyboard.press('Enter');
    const rows = page.getByRole('table', { name: 'Symbols after "Mary"' }).getByRole('row');
    await rows.getByText('End of the value').waitFor();
    await expect(field.inputValue()).resolves.toBe('Mary');
    const texts = await rows.allTextContents();
    const sum = texts.slice(1).reduce((all, text) => all + Number(/([\d.]+) %/.exec(text)?.[1]), 0);
    expect(sum).toBeGreaterThan(99);
    expect(sum).toBeLessThan(101);
    await field.fill('Marqqq');
    await page.getByText('No value of the model begins like this.').waitFor();
  });

  it('show the parts of a composition, and the values of a list', async () => {
    const page = await dashboard().open('/models/en_US/full_names');
    await page.getByRole('row', { name: '{{first}} {{last}} 90.0 %' }).waitFor();
    await page.getByRole('link', { name: 'en_US/last_names' }).click();
    await page.getByRole('heading', { name: 'en_US/last_names' }).waitFor();
    await page.goto(`${dashboard().url}/dashboard/models/en_US/cities_by_state`);
    await page.getByRole('textbox', { name: 'Beginning of a value' }).fill('new o');
    await page
      .getByRole('table', { name: 'Values that begin with "new o"' })
      .getByText('New Orleans')
      .waitFor();
    await page.getByText('This model is a map of lists.').waitFor();
    await checkAccessibility(page, 'model, list of values');
  });

  it('are uploaded and deleted, and a file that is not a model is refused at its field', async () => {
    const page = await dashboard().open('/models?type=custom');
    await page.getByText('No uploaded model').waitFor();
    await button(page, 'Upload model').first().click();
    await page.getByLabel('Model file').setInputFiles(file(Buffer.from('not a model')));
    await page.getByRole('dialog').getByRole('button', { name: 'Upload model' }).click();
    await page.getByText(/not a usable .ngram file/).waitFor();
    await page.getByLabel('Model file').setInputFiles(file(modelFile()));
    await page.getByRole('dialog').getByRole('button', { name: 'Upload model' }).click();
    await page.getByRole('heading', { name: 'custom/names', exact: true }).waitFor();
    await page.getByRole('table', { name: 'First symbols' }).waitFor();
    await button(page, 'Delete').click();
    await button(page, 'Delete model').click();
    await page.getByText('No uploaded model').waitFor();
  });

  it('show the next symbols of an uploaded file, which can be loaded again and saved', async () => {
    const bytes = modelFile();
    await upload('own', bytes);
    const page = await dashboard().open('/models?type=custom');
    const address = /\/dashboard\/v1\/models\/custom%2Fown\/content$/;
    await page.route(address, (route) => route.abort());
    await page.getByRole('link', { name: 'custom/own', exact: true }).click();
    await button(page, 'Try again').waitFor();
    await expect(button(page, 'Download').isDisabled()).resolves.toBe(true);
    await page.unroute(address);
    await button(page, 'Try again').click();
    await page.getByRole('table', { name: 'First symbols' }).waitFor();
    await tabTo(page, button(page, 'Add A'));
    await page.keyboard.press('Enter');
    await expect(shares(page, 'A')).resolves.toEqual(expectedShares(bytes, 'A'));
    await button(page, 'Add n').click();
    await expect(shares(page, 'An')).resolves.toEqual(expectedShares(bytes, 'An'));
    const saving = page.waitForEvent('download');
    await button(page, 'Download').click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('own.ngram');
    expect(readFileSync(await saved.path())).toEqual(bytes);
  });

  it('explain private models', async () => {
    const page = await dashboard().open('/models?type=private');
    await page.getByText('The model stays on the agent.').waitFor();
  });
});
