import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';

describeDashboard('the dashboard in a browser', (dashboard) => {
  it('is accessible', async () => {
    const page = await dashboard().open('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await checkAccessibility(page, 'overview');
  });

  it.each([
    ['light', '#eee'],
    ['dark', '#222'],
  ])('is not accessible if a text has too little contrast in the theme %s', async (theme, color) => {
    const page = await dashboard().open('/');
    await page
      .getByRole('heading', { name: 'Overview' })
      .evaluate((heading, value) => (heading.style.color = value), color);
    const found = `${theme} 1280: expected no violation of WCAG 2.2 AA, found:\ncolor-contrast`;
    await expect(checkAccessibility(page, 'pale heading')).rejects.toThrow(found);
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
