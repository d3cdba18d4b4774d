import { checkAccessibility, EVERY_LOOK } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { createExampleData, refreshSeededAgent, type ExampleData } from '../screenshots/example-data.js';
import { SCREENS } from '../screenshots/screens.js';

const PARTS = { name: 'parts', path: () => '/parts', shown: 'Open dialog', visitor: true };

jest.setTimeout(400_000); // axe compares the colours of each text of a page, also of the long ones, in four looks

describeDashboard(
  'each screen',
  (dashboard) => {
    let data: ExampleData;
    beforeAll(async () => {
      data = await createExampleData(dashboard());
    });

    it.each([...SCREENS, PARTS])('$name is accessible in each theme at each width', async (screen) => {
      const { name, path, shown, visitor } = screen;
      await refreshSeededAgent(dashboard());
      const page = await dashboard().open(path(data), visitor ? { token: null } : {});
      await page.getByText(shown).filter({ visible: true }).first().waitFor();
      await page.waitForLoadState('networkidle'); // for figures that a page loads beside its list
      await checkAccessibility(page, `${name}, every look`, undefined, EVERY_LOOK, 'with contrast');
    });
  },
  { agents: true },
);
