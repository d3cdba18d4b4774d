import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';

import { startTestIssuer, type TestAccount, type TestIssuer } from '@understudy/testing';
import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard, type DashboardTest } from '../harness/dashboard-test.js';

const CALLBACK = '/dashboard/oidc/company/callback';

let issuer: TestIssuer;
let front: Server;

describeDashboard(
  'sign-in with OpenID Connect in a browser',
  (dashboard) => {
    beforeAll(() => {
      front.on('connection', (client) => {
        const { hostname, port } = new URL(dashboard().system.url);
        const server = connect(Number(port), hostname);
        client.pipe(server).pipe(client);
        client.on('error', () => server.destroy());
        server.on('error', () => client.destroy());
      });
    });
    afterAll(async () => {
      front.close();
      await issuer.stop();
    });

    /** Opens the sign-in page, and signs in at the issuer, which shows a page of its own. */
    const signIn = async (account: TestAccount | null): Promise<Page> => {
      issuer.account = account;
      showPage(issuer);
      const page = await dashboard().open('/sign-in', { token: null });
      await page.getByRole('link', { name: 'Continue with Company account' }).click();
      // Without this click, the browser would count the whole sign-in as a navigation of the dashboard's own site.
      await page.getByRole('link', { name: 'Allow' }).click();
      return page;
    };

    it('opens a session of the member after a confirmation, and continues a page whose session has ended', async () => {
      const { organization } = dashboard();
      await addMember(dashboard(), organization.id, 'ada@example.com');
      const page = await signIn({ sub: 'ada', email: 'ada@example.com', email_verified: true });
      await page.getByRole('heading', { name: 'Link your account' }).waitFor();
      await page.getByText('Continue only with an organisation that you know').waitFor();
      await checkAccessibility(page, 'link an account');
      await page.getByRole('button', { name: 'Link and continue with Acme' }).click();
      await page.waitForURL(`${dashboard().url}/dashboard/`);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      const session = await page.evaluate(async () => (await fetch('/dashboard/session')).json() as unknown);
      expect(session).toMatchObject({ data: { member: { email: 'ada@example.com' }, signed_in_by: 'oidc' } });
      await page.getByRole('button', { name: 'Acme' }).click();
      await page.getByRole('menu', { name: 'Acme' }).getByText('ada@example.com').waitFor();
      await page.keyboard.press('Escape');

      await organization.databases.control.query('DELETE FROM dashboard_sessions');
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      const ended = page.getByRole('dialog', { name: 'Your session has ended' });
      const opened = page.context().waitForEvent('page');
      await ended.getByRole('link', { name: 'Continue with Company account' }).click();
      const tab = await opened; // the issuer still knows the account, so it shows no page
      await tab.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await ended.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    });

    it('lets a member of several organisations choose one', async () => {
      const { organization } = dashboard();
      const other = 'org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E';
      await organization.databases.control.query(
        `INSERT INTO organizations (id, name, plan) VALUES ($1, 'Globex', 'free')`,
        [other],
      );
      for (const id of [organization.id, other]) {
        const member = await addMember(dashboard(), id, 'grace@example.com');
        await organization.databases.control.query(
          'INSERT INTO member_accounts (issuer, subject, member_id, linked_at) VALUES ($1, $2, $3, now())',
          [issuer.url, 'grace', member],
        );
      }
      const page = await signIn({ sub: 'grace', email: 'grace@example.com', email_verified: true });
      await page.getByRole('button', { name: 'Continue with Acme' }).waitFor();
      await checkAccessibility(page, 'choose an organisation');
      await page.getByRole('button', { name: 'Continue with Globex' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      const session = await page.evaluate(async () => (await fetch('/dashboard/session')).json() as unknown);
      expect(session).toMatchObject({ data: { organization: { id: other } } });
    });

    it('returns to the sign-in page with the reason of a refusal', async () => {
      const cancelled = await signIn(null);
      await cancelled.getByText('The provider refused the sign-in').waitFor();
      await cancelled.getByRole('link', { name: 'Continue with Company account' }).waitFor();
      const stranger = await signIn({ sub: 'x', email: 'x@example.com', email_verified: true });
      await stranger.getByText('You are not a member of an organisation').waitFor();
    });
  },
  async () => {
    front = createServer();
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    // The issuer is at 127.0.0.1, which is another site than localhost.
    const url = `http://localhost:${(front.address() as AddressInfo).port}`;
    issuer = await startTestIssuer({
      redirectUri: url + CALLBACK,
      client: { id: 'understudy', method: 'none' },
    });
    const provider = { id: 'company', name: 'Company account', issuer: issuer.url, client_id: 'understudy' };
    const environment = {
      UNDERSTUDY_PUBLIC_URL: url,
      UNDERSTUDY_OIDC_PROVIDERS: JSON.stringify([provider]),
    };
    return { url, environment };
  },
);

async function addMember(
  { organization }: DashboardTest,
  organizationId: string,
  email: string,
): Promise<string> {
  const id = `mem_${randomBytes(13).toString('hex').toUpperCase()}`;
  await organization.databases.control.query(
    `INSERT INTO members (id, organization_id, email, email_key, role, invited_at, joined_at)
     VALUES ($1, $2, $3, $3, 'owner', now(), now())`,
    [id, organizationId, email],
  );
  return id;
}

/** Makes the issuer show a page with a link before it signs the user in. */
function showPage({ url: origin }: TestIssuer): void {
  const shown = new Set<string>();
  issuer.intercept = ({ url = '' }, response) => {
    if (!url.startsWith('/interaction/') || shown.has(url)) return false;
    shown.add(url);
    response.setHeader('content-type', 'text/html');
    response.end(`<link rel="icon" href="data:," /><a href="${origin}${url}">Allow</a>`);
    return true;
  };
}
