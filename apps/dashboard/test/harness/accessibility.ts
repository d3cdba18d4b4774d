import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The folder of the results that axe could not decide. Git ignores it. */
const INCOMPLETE = join(import.meta.dirname, '../../dist/accessibility');

/**
 * Checks the page with axe and all rules of WCAG 2.2 AA. No rule and no element is excluded. Results that axe cannot
 * decide are written to `dist/accessibility/<name>.json`, and a person must look at each.
 * @param name the screen, its state and its look, such as `api-keys, dialog, dark 390`
 * @throws Error with each violation
 */
export async function checkAccessibility(page: Page, name: string): Promise<void> {
  await page.evaluate(endOfTransitions);
  await page.evaluate(axe.source);
  const { violations, incomplete } = await page.evaluate(async (tags) => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe };
    const found = await checker.run({ runOnly: tags, resultTypes: ['violations', 'incomplete'] });
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
  }, TAGS);
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

/** Waits until popups are fully opaque, because a colour in between has less contrast. Endless animations go on. */
async function endOfTransitions(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
  await Promise.allSettled(ending.map((animation) => animation.finished));
}
