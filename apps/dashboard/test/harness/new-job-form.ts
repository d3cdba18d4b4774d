import type { Page } from 'playwright-core';

export const FILE_NAME = 'understudy.job.jsonc';

/** Chooses a job file in the form of a new sync job. */
export async function chooseFile(page: Page, text: string | Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose job file' }).click();
  await (
    await chooser
  ).setFiles({ name: FILE_NAME, mimeType: 'application/json', buffer: Buffer.from(text) });
}

/** Chooses an option of a field. */
export async function pick(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
}
