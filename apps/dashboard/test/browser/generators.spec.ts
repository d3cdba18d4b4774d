import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { tabTo, titleAndFocus } from '../harness/page-checks.js';

const NAME = '@acme/people:badge';

describeDashboard('the generators', (dashboard) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const editor = (page: Page) => page.getByRole('textbox', { name: 'Definition as JSON' });
  const register = (body: object) => dashboard().call('POST', '/generators', body);

  async function write(page: Page, definition: object): Promise<void> {
    await editor(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(JSON.stringify(definition));
  }

  it('are registered, used and deleted with the keyboard only', async () => {
    const page = await dashboard().open('/generators');
    await page.getByText('No registered generator').waitFor();
    await expect(titleAndFocus(page)).resolves.toMatchObject({ title: 'Generators · Understudy' });
    await tabTo(page, page.getByRole('link', { name: 'Register generator' }).first());
    await page.keyboard.press('Enter');
    await page.getByText('"Hello').first().waitFor();
    await write(page, { name: NAME, let: { n: { type: 'svc', algorithm: 'digit' } }, body: 'B-{{n}}' });
    await page.getByText('let.n.algorithm').waitFor();
    await checkAccessibility(page, 'generator, problems');
    await write(page, { name: NAME, let: { n: { type: 'svc', algorithm: 'digits' } }, body: 'B-{{n}}' });
    await page
      .getByText(/^"B-\d+"$/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape'); // closes suggestions, if there are any
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await tabTo(page, button(page, 'Register generator'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: NAME, level: 1 }).waitFor();
    await page
      .getByRole('region', { name: 'Sample values' })
      .getByText(/^B-\d+$/)
      .first()
      .waitFor();
    await tabTo(page, button(page, 'Delete'));
    await page.keyboard.press('Enter');
    await tabTo(page, button(page, 'Delete version'));
    await page.keyboard.press('Enter');
    await page.getByText('No registered generator').waitFor();
  });

  it('get a new version from an older one, and the server checks what only the organisation has', async () => {
    await register({ name: '@acme/people:first', body: 'first' });
    await register({ name: NAME, version: '1.0.0', body: 'old' });
    const page = await dashboard().open('/generators');
    await page.getByRole('link', { name: NAME }).click();
    await page.getByRole('link', { name: 'New version' }).click();
    await page.getByText('1.0.1').waitFor();
    await write(page, {
      name: NAME,
      version: '1.0.1',
      let: { old: { use: '@acme/people:nobody' } },
      body: '{{old}}',
    });
    await page.getByText('This page has no copy of @acme/people:nobody.').waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Leave without registering the generator?' }).waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Register generator').click();
    await page.getByText('The server did not accept this input').waitFor();
    await write(page, {
      name: NAME,
      version: '1.0.1',
      let: { old: { use: '@acme/people:first' } },
      body: 'second {{old}}',
    });
    await page.getByText('This page has no copy of @acme/people:first.').waitFor();
    await button(page, 'Register generator').click();
    await page.getByText('second first').first().waitFor();
    await page.getByRole('link', { name: '1.0.0' }).click();
    await page.getByText('old', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Open in the playground' }).click();
    await page.getByRole('heading', { name: 'Playground', exact: true }).waitFor();
  });

  it('of the product show examples, which open in the playground', async () => {
    const page = await dashboard().open('/generators?tab=built-in');
    await page.getByRole('link', { name: 'int_between' }).click();
    await page.getByRole('heading', { name: 'int_between', level: 1 }).waitFor();
    await page.getByText('The smallest value.').waitFor();
    await page.getByRole('link', { name: 'Open in the playground: example 1' }).click();
    await page.getByText('20 records in').first().waitFor();
    const values = await page.getByRole('cell').allTextContents();
    expect(values).toHaveLength(20);
    for (const value of values.map(Number)) expect(value >= 18 && value <= 90).toBe(true);
  });

  it('are accessible', async () => {
    const name = '@acme/looks:greeting';
    await register({ name, params: { who: { type: 'string', required: true } }, body: 'Hello {{who}}' });
    const page = await dashboard().open('/generators');
    await page.getByRole('link', { name }).click();
    await page.getByText('Hello example').first().waitFor();
    await checkAccessibility(page, 'registered generator');
    await page.getByRole('link', { name: 'New version' }).click();
    await editor(page).waitFor();
    await page.getByText('"Hello example"').first().waitFor();
    await checkAccessibility(page, 'new generator');
    await page.goto(`${dashboard().url}/dashboard/generators?tab=built-in`);
    await page.getByRole('link', { name: 'uuid_v4' }).waitFor();
    await checkAccessibility(page, 'built-in generators');
    await page.getByRole('link', { name: 'list', exact: true }).click();
    await page.getByText('Example 1').waitFor();
    await checkAccessibility(page, 'built-in generator');
  });
});
