import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type axe from 'axe-core';
import type { Page } from 'playwright-core';

import type { Appearance } from './browser-pages.js';
import { checkNoMotion, checkNoSidewaysScrolling, checkNothingCutOff } from './page-checks.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The short form of axe. Each page that is checked receives and compiles it. */
const AXE = readFileSync(
  createRequire(join(import.meta.dirname, 'x')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** The folder of the results that axe could not decide. Git ignores it. */
const INCOMPLETE = join(import.meta.dirname, '../../dist/accessibility');

/** The look of a page. */
export const WIDE: Appearance = { theme: 'light', width: 1280 };

/** The look of an open part, such as a dialog, because `parts` checks the parts themselves in both looks. */
export const NARROW: Appearance = { theme: 'dark', width: 320 };

/** All looks, also for elements that only one width shows. `looks.release.spec.ts` checks all screens in them. */
export const EVERY_LOOK: readonly Appearance[] = [
  WIDE,
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
];

/**
 * Checks the present state of the page with axe and the rules of WCAG 2.2 AA. No element is excluded. A page is checked
 * light at 1280 pixels, and an open part dark at 320 pixels. Also checks that nothing needs scrolling to the side or is
 * cut off at 320 pixels, as WCAG demands. No part of a page may move, because the pages of tests prefer
 * reduced motion. Results that axe cannot decide are written to `dist/accessibility/<name>.json`, and a person must
 * look at each.
 * @param name the screen and its state, such as `api-keys, dialog`
 * @param popup checks only the elements of this selector, if the page behind them was checked before
 * @param looks the themes and widths to check instead
 * @param contrast whether the colours of each text are compared, which needs about as long as all other rules. The page
 * of all parts and the release compare them, because pages have only the colours of their parts
 * @throws Error with the violations of the first look that has one
 */
export async function checkAccessibility(
  page: Page,
  name: string,
  popup?: string,
  looks: readonly Appearance[] = [popup === undefined ? WIDE : NARROW],
  contrast: 'with contrast' | 'without contrast' = 'without contrast',
): Promise<void> {
  const before = page.viewportSize();
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  for (const { theme, width } of looks) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 800 });
    await checkLook(page, `${name}, ${theme} ${width}`, popup, contrast === 'with contrast');
  }
  if (popup === undefined) {
    await page.setViewportSize({ width: NARROW.width, height: 800 });
    await settled(page);
    await checkNoMotion(page);
  }
  await checkNoSidewaysScrolling(page);
  await checkNothingCutOff(page);
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
  await settled(page);
}

async function checkLook(
  page: Page,
  name: string,
  part: string | undefined,
  hasContrast: boolean,
): Promise<void> {
  await settled(page);
  const { violations, incomplete } = await page.evaluate(
    async ([part, tags, enabled]) => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe };
      const found = await checker.run(part ?? document, {
        runOnly: { type: 'tag', values: [...tags] },
        rules: { 'color-contrast': { enabled } },
        resultTypes: ['violations', 'incomplete'],
      });
      const summary = (results: typeof found.violations) =>
        results.map(({ id, impact, help, nodes }) => ({
          id,
          impact,
          help,
          nodes: nodes.map(({ target, any, all }) => ({
            target: target.flat().join(' '),
            reason: [...any, ...all].map(({ message }) => message).join('; '),
          })),
        }));
      return { violations: summary(found.violations), incomplete: summary(found.incomplete) };
    },
    [part, TAGS, hasContrast] as const,
  );
  mkdirSync(INCOMPLETE, { recursive: true });
  const file = `${name.replaceAll(/[^\w]+/g, '-')}.json`;
  writeFileSync(join(INCOMPLETE, file), `${JSON.stringify(incomplete, null, 2)}\n`);
  if (violations.length === 0) return;
  const texts = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ target, reason }) => `  ${target}: ${reason}`).join('\n')}`,
  );
  throw new Error(`${name}: expected no violation of WCAG 2.2 AA, found:\n${texts.join('\n')}`);
}

/** Waits until the page is laid out, and popups are fully opaque, because a colour in between has less contrast. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const ending = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}
