import { describeDashboard } from '../harness/dashboard-test.js';
import { PrefixProxy } from '../harness/prefix-proxy.js';

let proxy: PrefixProxy;

describeDashboard(
  'the dashboard below a path prefix',
  (dashboard) => {
    beforeAll(() => (proxy.target = dashboard().system.url));
    afterAll(() => proxy.stop());

    it('loads a deep link again, with its lazy route and the font', async () => {
      const page = await dashboard().open('/agents?x=1', { browser: {} });
      const heading = page.getByRole('heading', { name: 'Agents', level: 1 });
      await heading.waitFor();
      const loaded: string[] = [];
      page.on('response', (response) => loaded.push(`${response.status()} ${response.url()}`));
      await page.reload();
      await heading.waitFor();
      await page.evaluate(() => document.fonts.ready);
      expect(loaded.filter((line) => !/^(200|304) /.test(line))).toEqual([]);
      expect(loaded.filter((line) => !line.includes('/a/b/dashboard/'))).toEqual([]);
      expect(loaded.some((line) => /agents-page-.*\.js$/.test(line))).toBe(true);
      expect(await page.evaluate(() => document.fonts.check('16px "Inter Variable"'))).toBe(true);
      expect(loaded.some((line) => /inter-latin-wght.*\.woff2$/.test(line))).toBe(true);
    });

    it('addresses each page with the prefix', async () => {
      const page = await dashboard().open('/');
      await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
      expect(page.url()).toBe(`${proxy.url}/dashboard/api-keys`);
    });

    it('starts the worker of the playground, which fetches models', async () => {
      const page = await dashboard().open('/playground');
      const worker = await page.waitForEvent('worker');
      expect(worker.url()).toContain(`${proxy.url}/dashboard/assets/`);
      // The records need models, which the worker fetches below the prefix, too.
      await page
        .getByText(/^20 records in /)
        .first()
        .waitFor();
      await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    });

    it('leads a visitor through the sign-in back to the page', async () => {
      const page = await dashboard().open('/agents?x=1', { token: null });
      await page.getByRole('textbox', { name: 'API key' }).fill(dashboard().organization.token);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      expect(page.url()).toBe(`${proxy.url}/dashboard/agents?x=1`);
    });
  },
  async () => {
    proxy = await PrefixProxy.start('/a/b');
    return { url: proxy.url, environment: { UNDERSTUDY_PUBLIC_URL: proxy.url } };
  },
);
