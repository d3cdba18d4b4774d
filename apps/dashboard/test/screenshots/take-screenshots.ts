import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describeDashboard } from '../harness/dashboard-test.js';
import { createExampleData, refreshSeededAgent, type ExampleData } from './example-data.js';
import { SCREENS } from './screens.js';

const FOLDER = join(import.meta.dirname, '../../../../docs/images');

/** Grey lines in place of a text, but no marks of running work, and figures without a chart. */
const UNFINISHED = '[role=status] > .animate-pulse, figure:not(:has(canvas, table))';

// Writes docs/images/<screen>-<theme>.png, with `npm run screenshots`.
describeDashboard(
  'the screenshots',
  (dashboard) => {
    let data: ExampleData;
    beforeAll(async () => {
      mkdirSync(FOLDER, { recursive: true });
      data = await createExampleData(dashboard());
    });

    it.each(SCREENS.flatMap((screen) => (['light', 'dark'] as const).map((theme) => ({ ...screen, theme }))))(
      'show $name in the theme $theme',
      async ({ name, path, shown, visitor, theme }) => {
        await refreshSeededAgent(dashboard());
        const page = await dashboard().open(path(data), { theme, ...(visitor && { token: null }) });
        await page.getByText(shown).filter({ visible: true }).first().waitFor();
        await page.waitForLoadState('networkidle'); // for figures that a page loads beside its list
        await page.locator(UNFINISHED).first().waitFor({ state: 'detached' });
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`), animations: 'disabled' });
      },
    );
  },
  { agents: true },
);
