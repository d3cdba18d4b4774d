import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';

import { startTestIssuer, type TestIssuer } from '@understudy/testing';

import { describeDashboard } from '../harness/dashboard-test.js';

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

    it('opens a session, although the issuer is another site', async () => {
      const { organization } = dashboard();
      await organization.databases.control.query(
        `INSERT INTO members (id, organization_id, email, email_key, role, invited_at, joined_at)
         VALUES ('mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E', $1, 'ada@example.com', 'ada@example.com', 'owner', now(), now())`,
        [organization.id],
      );
      issuer.account = { sub: 'ada', email: 'ada@example.com', email_verified: true };
      showPage(issuer);
      const page = await dashboard().open('/oidc/company', { token: null });
      // Without this click, the browser would count the whole sign-in as a navigation of the dashboard's own site.
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.waitForURL(`${dashboard().url}/dashboard/`);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      const session = await page.evaluate(async () => (await fetch('/dashboard/session')).json() as unknown);
      expect(session).toMatchObject({ data: { member: { email: 'ada@example.com' }, signed_in_by: 'oidc' } });
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

/** Makes the issuer show a page with a link before it signs the user in. */
function showPage({ url: origin }: TestIssuer): void {
  const shown = new Set<string>();
  issuer.intercept = ({ url = '' }, response) => {
    if (!url.startsWith('/interaction/') || shown.has(url)) return false;
    shown.add(url);
    response.setHeader('content-type', 'text/html');
    response.end(`<link rel="icon" href="data:," /><a href="${origin}${url}">Continue</a>`);
    return true;
  };
}
