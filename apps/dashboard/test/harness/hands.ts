import type { Locator, Page } from 'playwright-core';

import { hasFocus, tabTo } from './page-checks.js';

/** How a person uses a page. All journeys are possible with each. */
export interface Hands {
  /** Uses a button, a link, a checkbox or a radio button. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  type(field: Locator, text: string): Promise<void>;
  /** Chooses an option of a select. */
  choose(select: Locator, option: string | RegExp): Promise<void>;
}

const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name, exact: true });

export const POINTER: Hands = {
  press: (target) => target.click(),
  type: (field, text) => field.fill(text),
  choose: async (select, name) => {
    await select.click();
    await option(select.page(), name).click();
  },
};

/** A select and a group of a journey have fewer options than this. */
const MAX_OPTIONS = 50;

export const KEYBOARD: Hands = {
  press: async (target) => {
    const role = await target.getAttribute('role');
    if (role === 'radio') return chooseRadio(target);
    await tabTo(target.page(), target);
    await target.page().keyboard.press(role === 'checkbox' ? 'Space' : 'Enter');
  },
  type: async (field, text) => {
    await tabTo(field.page(), field);
    await field.page().keyboard.press('ControlOrMeta+a');
    await field.page().keyboard.type(text);
  },
  choose: async (select, name) => {
    const page = select.page();
    await tabTo(page, select);
    await page.keyboard.press('Enter');
    await option(page, name).waitFor();
    for (let presses = 0; presses < MAX_OPTIONS && !(await hasFocus(option(page, name))); presses++)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await option(page, name).waitFor({ state: 'detached' });
  },
};

/** Tab reaches only one radio button of a group, and the arrow keys choose the others. */
async function chooseRadio(target: Locator): Promise<void> {
  const page = target.page();
  const group = page.getByRole('radiogroup').filter({ has: target });
  await tabTo(page, group.getByRole('radio').and(page.locator('[tabindex="0"]')));
  for (let presses = 0; presses < MAX_OPTIONS && !(await hasFocus(target)); presses++)
    await page.keyboard.press('ArrowDown');
}
