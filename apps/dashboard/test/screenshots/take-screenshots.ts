import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describeDashboard } from '../harness/dashboard-test.js';
import { createExampleData, refreshSeededAgent, type ExampleData } from './example-data.js';
import { SCREENS } from './screens.js';

const FOLDER = join(import.meta.dirname, '../../../../docs/images');

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
        await page.getByText(shown).first().waitFor();
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`), animations: 'disabled' });
      },
    );
  },
  { agents: true },
);
