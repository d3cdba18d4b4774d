import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard, type OpenOptions } from '../harness/dashboard-test.js';
import { hasFocus, titleAndFocus } from '../harness/page-checks.js';

const SCHEMA = '{ "generators": { "n": { "type": "svc", "algorithm": "sequence" } }, "output": ["n"] }';
const SAME = 'The API gives the same bytes';

describeDashboard('the playground', (dashboard) => {
  async function openPlayground(options: OpenOptions = {}, fragment = ''): Promise<Page> {
    const page = await dashboard().open(`/playground${fragment}`, options);
    await editor(page).waitFor();
    await summary(page).waitFor();
    return page;
  }

  const editor = (page: Page) => page.getByRole('textbox', { name: 'Schema as JSON' });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const summary = (page: Page) => page.getByText(/^[\d,]+ records? in /).first();
  const cells = (page: Page) => page.getByRole('cell').allTextContents();

  /** Replaces the whole schema, as a person does who pastes a text. */
  async function write(page: Page, schema: string): Promise<void> {
    await editor(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(schema);
  }

  it('shows other records at each key press, and marks a problem in its line', async () => {
    const page = await dashboard().open('/');
    await page.getByRole('link', { name: 'Playground' }).first().click();
    await editor(page).waitFor();
    expect(await titleAndFocus(page)).toEqual({ title: 'Playground · Understudy', focus: 'Playground' });
    await write(page, SCHEMA);
    await page.getByRole('cell', { name: '20', exact: true }).waitFor();
    await write(page, SCHEMA.replace('"sequence"', '"sequence", "params": { "start": "x" }'));
    await page.getByText('1 problem in the schema').first().waitFor();
    await page.getByText('These are the records of the last valid schema.').waitFor();
    await button(page, 'Line 1').click();
    expect(await hasFocus(editor(page))).toBe(true);
    await page.keyboard.insertText('7');
    await page.getByRole('cell', { name: '26', exact: true }).waitFor();
  });

  it('draws only the visible ones of 1,000 records, and scrolls to the last one with the keyboard', async () => {
    const page = await openPlayground();
    await write(page, SCHEMA);
    await page.getByLabel('Number of records').fill('1000');
    await page
      .getByText(/^1,000 records in/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Records' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('cell', { name: '1000', exact: true }).waitFor();
    expect((await cells(page)).length).toBeLessThan(100);
  });

  it('gives the same records for the same seed, as the API does in each format', async () => {
    const page = await openPlayground();
    const first = await cells(page);
    await page.getByLabel('Seed').fill('43');
    await page
      .getByRole('cell', { name: first[1] ?? '', exact: true })
      .first()
      .waitFor({ state: 'detached' });
    await page.getByLabel('Seed').fill('42');
    await page.getByRole('cell', { name: first[3] ?? '', exact: true }).waitFor();
    expect(await cells(page)).toEqual(first);
    for (const format of ['Table', 'CSV']) {
      await page.getByRole('tab', { name: format, exact: true }).click();
      await button(page, 'Compare with the API').click();
      await page.getByText(SAME, { exact: true }).waitFor();
      await button(page, 'New seed').click();
      await page.getByText(SAME, { exact: true }).waitFor({ state: 'detached' });
    }
  });

  it('changes the locale of the models, starts from examples, and shows invalid settings', async () => {
    const page = await openPlayground();
    await page.getByRole('combobox', { name: 'Locale' }).click();
    await page.getByRole('option', { name: 'ja_JP' }).click();
    await page
      .getByText(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u)
      .first()
      .waitFor();
    await page.getByRole('combobox', { name: 'Example' }).click();
    await page.getByRole('option', { name: 'Measurements' }).click();
    await page.getByRole('columnheader', { name: 'celsius' }).waitFor();
    await page.getByRole('combobox', { name: 'Locale' }).waitFor({ state: 'detached' });
    await page.getByLabel('Number of records').fill('1001');
    await page.getByText('Enter 1 to 1,000.').waitFor();
  });

  it('shows code for the API, and creates a mock endpoint that answers with the schema', async () => {
    const page = await openPlayground();
    await write(page, SCHEMA);
    await button(page, 'Use in your code').click();
    await page.getByRole('dialog').getByText('"algorithm": "sequence"').waitFor();
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('records = client.generate(schema, 20, seed=42)').waitFor();
    await page.keyboard.press('Escape');
    expect(await hasFocus(button(page, 'Use in your code'))).toBe(true);

    await button(page, 'Create mock endpoint').click();
    await page.getByLabel('Path').fill('no slash');
    await button(page, 'Create endpoint').click();
    await page
      .getByRole('dialog')
      .getByText(/must|expected/i)
      .first()
      .waitFor();
    await page.getByLabel('Path').fill('/numbers');
    await page.getByRole('combobox', { name: 'Access' }).click();
    await page.getByRole('option', { name: 'With the address only' }).click();
    await page.getByText('Behaviour', { exact: true }).click();
    await page.getByLabel('Body of the response').fill('{"data": "{{records}}"');
    await page.getByLabel('Headers').fill('Set-Cookie: a=b');
    await button(page, 'Create endpoint').click();
    await page.getByText('Expected JSON, because the text begins like JSON.').waitFor();
    await page.getByLabel('Body of the response').fill('{"data": "{{records}}"}');
    await page.getByRole('textbox', { name: 'Status' }).fill('202');
    await button(page, 'Create endpoint').click();
    await page.getByText('Set-Cookie: is a reserved header').waitFor();
    await page.getByLabel('Headers').fill('X-Team: blue');
    await button(page, 'Create endpoint').click();
    await page.getByText('The mock endpoint is ready').waitFor();
    const command = await page.getByText(/^curl -sS/).textContent();
    const [, url = ''] = /'(.*?)'/.exec(command ?? '') ?? [];
    const response = await fetch(url);
    expect(response.status).toBe(202);
    expect(response.headers.get('x-team')).toBe('blue');
    expect(((await response.json()) as { data: unknown }).data).toHaveLength(20);
    await page.getByRole('link', { name: 'Open its page' }).click();
    await page.getByRole('heading', { level: 1, name: /numbers/ }).waitFor();
    await page.getByText('X-Team: blue').waitFor();
    await page.getByRole('link', { name: 'Open in the playground' }).click();
    await page.getByText('20 records in').first().waitFor();
    expect(await cells(page)).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)));
  });

  it('opens the same draft from a link, which no server receives', async () => {
    const page = await openPlayground({ browser: { permissions: ['clipboard-read', 'clipboard-write'] } });
    await write(page, SCHEMA);
    await page.getByLabel('Number of records').fill('3');
    await page.getByText('3 records in').first().waitFor();
    await button(page, 'Copy link').click();
    await page.getByText('The link is copied').waitFor();
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    expect(link.search).toBe('');
    const other = await openPlayground({}, link.hash);
    await other.getByText('3 records in').first().waitFor();
    expect(await cells(other)).toEqual(['1', '2', '3']);
    await other.reload();
    await other.getByText('3 records in').first().waitFor();
  });

  it('generates with the API what only the organisation has', async () => {
    const name = '@acme/people:badge';
    await dashboard().call('POST', '/generators', { name, body: 'badge-7' });
    const page = await openPlayground();
    await write(page, `{ "generators": { "badge": { "use": "${name}" } }, "output": ["badge"] }`);
    await button(page, 'Generate with the API').click();
    await page.getByText('{"badge":"badge-7"}').first().waitFor();
  });

  it('is accessible', async () => {
    const page = await openPlayground();
    await write(page, SCHEMA.replace('svc', 'none'));
    await page.getByText('1 problem in the schema').first().waitFor();
    await checkAccessibility(page, 'playground, problem and records');
    await write(page, '{ "generators": { "a": { ');
    await page.keyboard.type('"');
    await page.getByRole('option', { name: /nullable/ }).waitFor();
    await checkAccessibility(page, 'playground, suggestions');
  });
});
