import { describeDashboard } from '../harness/dashboard-test.js';
import { checkFocusAfterMenu, checkPopups } from '../harness/popups.js';

// `parts.spec.ts` has the other tests of the parts.
describeDashboard('the parts', (dashboard) => {
  it('are accessible in both looks while they are open', async () => {
    const page = await dashboard().open('/parts', { token: null });
    await checkPopups(page, 'both looks');
  });

  it('keep the focus in a dialog that a menu opens, even if the menu fades out before that', async () => {
    const browser = { reducedMotion: 'no-preference' } as const;
    await checkFocusAfterMenu(await dashboard().open('/parts', { token: null, browser }), 100);
  });
});
