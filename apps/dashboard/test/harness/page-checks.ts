import type { Locator, Page } from 'playwright-core';

/** A page has at most this number of elements that the Tab key reaches. */
const MAX_TABS = 300;

/**
 * Presses Tab until the element has the focus, as a person without a pointer does. Then press Enter or type.
 * @throws Error if Tab does not reach the element
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  let element = await target.elementHandle(); // finding it by its role before each press costs more than the presses
  for (let presses = 0; presses < MAX_TABS; presses++) {
    const state = await element?.evaluate((each) => ({
      hasFocus: each === (each.getRootNode() as Document).activeElement,
      isConnected: each.isConnected,
    }));
    if (state?.hasFocus) return;
    if (state?.isConnected) await page.keyboard.press('Tab');
    else element = await target.elementHandle(); // the page has replaced it
  }
  throw new Error(`expected Tab to reach ${String(target)}; it did not within ${MAX_TABS} presses`);
}

export async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === (element.getRootNode() as Document).activeElement);
}

/** Waits until the element has the focus. @throws Error if it does not get it */
export async function waitForFocus(target: Locator): Promise<void> {
  await target.and(target.page().locator(':focus')).waitFor();
}

/** Returns the title of the document, and the text of the element that has the focus. */
export async function titleAndFocus(page: Page): Promise<{ title: string; focus: string }> {
  return page.evaluate(() => ({ title: document.title, focus: document.activeElement?.textContent ?? '' }));
}

/** @throws Error if the element with the focus shows no outline of at least 2 pixels */
export async function checkVisibleFocus(page: Page): Promise<void> {
  const { name, outline } = await page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const label = element.getAttribute('aria-label') ?? element.textContent;
    return { name: `${element.tagName} "${label}"`, outline: `${outlineStyle} ${outlineWidth}` };
  });
  const width = Number.parseFloat(outline.split(' ')[1] ?? '');
  if (outline.startsWith('none') || !(width >= 2))
    throw new Error(`expected an outline of at least 2px on ${name}, found ${outline}`);
}

/** @throws Error with the widest elements if the page can be scrolled to the side */
export async function checkNoSidewaysScrolling(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .slice(0, 5)
      .map((element) => `${element.tagName} ${element.className}`);
  });
  if (wide.length > 0) throw new Error(`expected a page as wide as its window, found: ${wide.join(', ')}`);
}

/**
 * Checks that no box hides a part of its content at the side. A text that ends in an ellipsis, a text only for screen
 * readers and a field, whose value moves with the cursor, are exceptions.
 * @throws Error with the boxes, and the elements that reach beyond them
 */
export async function checkNothingCutOff(page: Page): Promise<void> {
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('body :not(input)')]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
      .filter((box) => {
        const { overflowX, textOverflow } = getComputedStyle(box);
        return ['clip', 'hidden'].includes(overflowX) && textOverflow !== 'ellipsis';
      })
      .flatMap((box) => {
        const end = box.getBoundingClientRect().left + box.clientLeft + box.clientWidth + 1;
        const parts = [...box.querySelectorAll('*')].filter((part) => {
          const { left, width } = part.getBoundingClientRect();
          return left + Math.max(width, part.scrollWidth) > end;
        });
        return [box, ...parts];
      })
      .slice(0, 5)
      .map((element) => `${element.tagName} ${element.className}`),
  );
  if (cut.length > 0) throw new Error(`expected nothing cut off at the side, found: ${cut.join(', ')}`);
}

/** The page must be set to reduced motion before. @throws Error with the elements that move nevertheless */
export async function checkNoMotion(page: Page): Promise<void> {
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return [transitionDuration, animationDuration].some((time) => Number.parseFloat(time) >= 0.001);
      })
      .slice(0, 5)
      .map((element) => `${element.tagName} ${element.className}`),
  );
  if (moving.length > 0) throw new Error(`expected a page without motion, found: ${moving.join(', ')}`);
}
