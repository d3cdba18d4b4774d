import type { Locator, Page } from 'playwright-core';

import { checkAccessibility, NARROW, WIDE } from './accessibility.js';
import { hasFocus } from './page-checks.js';

/** Selects the parts that are open. */
const OPEN = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=status]';

interface Popup {
  readonly name: string;
  /** The control that opens it, and has the focus again after Escape. */
  readonly opener: (page: Page) => Locator;
  readonly show: (page: Page, opener: Locator) => Promise<void>;
  /** Whether `npm test` checks it in the light look, too. The release does so for all. */
  readonly isCheckedLight?: true;
}

/** The parts that open over the page. */
const POPUPS: readonly Popup[] = [
  {
    name: 'dialog',
    opener: (page) => page.getByRole('button', { name: 'Open dialog' }),
    show: async (page, opener) => {
      await opener.press('Enter');
      await page.getByRole('heading', { name: 'New API key' }).waitFor();
    },
  },
  {
    name: 'confirmation',
    isCheckedLight: true,
    opener: (page) => page.getByRole('button', { name: 'Open typed confirmation' }),
    show: async (page, opener) => {
      await opener.press('Enter');
      await page.getByRole('heading', { name: 'Delete the endpoint?' }).waitFor();
    },
  },
  {
    name: 'menu',
    isCheckedLight: true,
    opener: (page) => page.getByRole('button', { name: 'Actions for job_01' }),
    show: async (page, opener) => {
      await opener.press('Enter');
      await page.getByRole('menuitem', { name: 'Clone' }).waitFor();
    },
  },
  {
    name: 'select',
    opener: (page) => page.getByRole('combobox', { name: 'Agent', exact: true }),
    show: async (page, opener) => {
      await opener.press('Enter');
      await page.getByRole('option', { name: 'Any agent' }).waitFor();
    },
  },
  {
    name: 'combobox',
    opener: (page) => page.getByRole('combobox', { name: 'Database' }),
    show: async (page, opener) => {
      await opener.fill('_39');
      await page.getByRole('option', { name: 'customers_399' }).waitFor();
    },
  },
  {
    name: 'combobox without a match',
    opener: (page) => page.getByRole('combobox', { name: 'Database' }),
    show: async (page, opener) => {
      await opener.fill('nothing');
      await page.getByText('No matches').waitFor();
    },
  },
];

/** Opens the parts on the page of all parts, checks each while it is open, and closes it with Escape. */
export async function checkPopups(
  page: Page,
  looks: 'both looks' | 'dark look of all and light look of two',
): Promise<void> {
  for (const { name, opener, show, isCheckedLight } of POPUPS) {
    await show(page, opener(page));
    const themes = looks === 'both looks' || isCheckedLight ? [WIDE, NARROW] : [NARROW];
    await checkAccessibility(page, `parts, ${name}`, OPEN, themes, 'with contrast');
    await page.keyboard.press('Escape');
    await expectFocus(page, opener(page));
  }
}

/**
 * Opens a dialog from a menu, which fades out in 100 ms.
 * @param playbackRate the speed of the animation. It decides whether it ends before the dialog gets the focus
 */
export async function checkFocusAfterMenu(page: Page, playbackRate: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Animation.enable');
  await devtools.send('Animation.setPlaybackRate', { playbackRate });
  const opener = page.getByRole('button', { name: 'Acme' });
  await opener.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete endpoint' }).press('Enter');
  const field = page.getByLabel('Type “orders” to confirm');
  await expectFocus(page, field);
  await page.getByRole('menu', { includeHidden: true }).waitFor({ state: 'detached' });
  expect(await hasFocus(field)).toBe(true);
  await page.keyboard.press('Escape');
  await expectFocus(page, opener);
}

/** Waits until the element has the focus, which a closing popup returns in a later task. */
export async function expectFocus(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const element = await target.elementHandle();
  await page.waitForFunction((expected) => document.activeElement === expected, element);
  expect(await hasFocus(target)).toBe(true);
}
