import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';

describeDashboard('the dashboard in a browser', (dashboard) => {
  it('is accessible', async () => {
    const page = await dashboard().open('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await checkAccessibility(page, 'overview');
  });

  it('fails a test whose page violates the content security policy', async () => {
    const page = await dashboard().open('/');
    // Reports arrive in order, so all earlier ones have arrived when this one has.
    const reported = page.evaluate(
      () =>
        new Promise<unknown>((resolve) => {
          const { understudyReportsViolation: report } = window as unknown as Record<
            string,
            (text: string) => Promise<void>
          >;
          document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
            if (violatedDirective.startsWith('style-src')) resolve(report?.('the last one'));
          });
        }),
    );
    await page
      .evaluate(() => document.body.insertAdjacentHTML('beforeend', '<style>body { color: red }</style>'))
      .catch(() => undefined);
    await page.evaluate(() =>
      document.body.append(Object.assign(document.createElement('style'), { textContent: 'a{}' })),
    );
    await reported;
    await expect(dashboard().endTest()).rejects.toThrow('policy violation: style-src');
  });
});
