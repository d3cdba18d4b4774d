import { checkAccessibility, NARROW, WIDE } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';

describeDashboard('the dashboard in a browser', (dashboard) => {
  it.each([
    ['light 1280', '#eee', undefined, [WIDE]],
    ['dark 320', '#222', 'main', [NARROW]],
  ])(
    'is not accessible if a text has too little contrast in the look %s',
    async (look, color, part, looks) => {
      const page = await dashboard().open('/');
      await page
        .getByRole('heading', { name: 'Overview' })
        .evaluate((heading, value) => (heading.style.color = value), color);
      const found = `${look}: expected no violation of WCAG 2.2 AA, found:\ncolor-contrast`;
      await expect(checkAccessibility(page, 'pale heading', part, looks, 'with contrast')).rejects.toThrow(
        found,
      );
    },
  );

  it('is not accessible if a page needs scrolling to the side, or moves', async () => {
    const page = await dashboard().open('/');
    const heading = page.getByRole('heading', { name: 'Overview' });
    await heading.evaluate((element) => (element.style.minWidth = '400px'));
    await expect(checkAccessibility(page, 'wide heading')).rejects.toThrow('as wide as its window');
    await heading.evaluate((element) => {
      element.style.minWidth = '';
      element.style.setProperty('transition-duration', '1s', 'important');
    });
    await expect(checkAccessibility(page, 'moving heading')).rejects.toThrow('without motion');
  });

  it('is not accessible if a card cuts a bar or a value that does not wrap off', async () => {
    const page = await dashboard().open('/');
    const card = page.locator('.ui-card').first();
    for (const style of [{ width: '30rem', height: '1rem' }, { whiteSpace: 'nowrap' }]) {
      await card.evaluate((element, styles) => {
        element.querySelector('.planted')?.remove();
        const part = document.createElement('div');
        part.textContent = 'value '.repeat(20);
        element.append(Object.assign(part, { className: 'planted' }));
        Object.assign(part.style, styles);
      }, style);
      const check = checkAccessibility(page, 'cut off', '.ui-card');
      await expect(check).rejects.toThrow(/nothing cut off.*DIV planted/);
    }
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

  it('reuses the page of the test before without its cookies, storage and routes', async () => {
    const first = await dashboard().open('/', { width: 390 });
    await first.evaluate(() => {
      localStorage.setItem('left', 'here');
      sessionStorage.setItem('left', 'here');
    });
    await first.route('**/dashboard/session', (route) => route.abort());
    await dashboard().endTest();
    const page = await dashboard().open('/', { token: null });
    expect(page).toBe(first);
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    const stored = () => [localStorage.getItem('left'), sessionStorage.getItem('left')];
    await expect(page.evaluate(stored)).resolves.toEqual([null, null]);
    expect(page.viewportSize()?.width).toBe(1280);
  });

  it('fails a test that leaves a clock in a page, and does not reuse the page', async () => {
    const page = await dashboard().open('/');
    await page.clock.install();
    await expect(dashboard().endTest()).rejects.toThrow('a clock in a page');
    expect(await dashboard().open('/')).not.toBe(page);
  });
});
