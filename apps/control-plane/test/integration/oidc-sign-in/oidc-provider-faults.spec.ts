import type { ServerResponse } from 'node:http';

import {
  join,
  pathOf,
  sessionOf,
  SIGNED_IN,
  signIn,
  startOf,
  startOidcHarness,
  toCallback,
  type OidcHarness,
} from './oidc-harness.js';

const refused = (code: string) => `303 /dashboard/sign-in?error=${code}`;
const METADATA = '/.well-known/openid-configuration';

/** Faults of a response. The first one never ends. */
const FAULTS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'no response': () => undefined,
  'a response that stops': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"issuer":');
  },
  'a closed connection': (response) => void response.destroy(),
  'a response of 300 KiB': (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ filler: 'x'.repeat(300 * 1024) }));
  },
  'a response that is not JSON': (response) => {
    response.setHeader('content-type', 'application/json').end('<html>');
  },
  'a page': (response) => {
    response.setHeader('content-type', 'text/html').end('<html>');
  },
  'the status 503': (response) => {
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"x"}');
  },
  'a redirect': (response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  },
};

describe('a provider that fails', () => {
  let harness: OidcHarness;
  beforeAll(async () => {
    // The tests wait this long for eight responses. All others must arrive within it, also on a busy machine.
    harness = await startOidcHarness({ timeoutMs: 6_000 });
    await harness.addMember('ada@example.com');
    harness.company.account = { sub: 'ada', email: 'ada@example.com', email_verified: true };
  });
  afterEach(() => {
    harness.company.intercept = () => false;
  });
  afterAll(() => harness.stop());

  const failAt = (path: string, fault: (response: ServerResponse) => void): void => {
    harness.company.intercept = ({ url = '' }, response) => {
      if (new URL(url, harness.company.url).pathname !== path) return false;
      fault(response);
      return true;
    };
  };

  it.each(Object.entries(FAULTS))(
    'does not start a sign-in after %s to the request for its metadata',
    async (_, fault) => {
      failAt(METADATA, fault);
      const visit = await harness.browser().send(startOf('company'));
      expect(pathOf(visit)).toBe(refused('provider_unavailable'));
      expect(visit.headers.getSetCookie()).toEqual([]);
      expect(await harness.plane.query('SELECT FROM oidc_sign_ins')).toEqual([]);
    },
  );

  it.each([
    ['of another issuer', { issuer: 'http://127.0.0.1:1/' }],
    ['without endpoints', {}],
  ])('does not start a sign-in with metadata %s', async (_, metadata) => {
    failAt(METADATA, (response) => {
      const { url: issuer } = harness.company;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer, ...metadata }));
    });
    expect(pathOf(await harness.browser().send(startOf('company')))).toBe(refused('provider_refused'));
  });

  it('is asked for its metadata again after a failure, and once afterwards', async () => {
    harness.company.requests.length = 0;
    await Promise.all([1, 2, 3].map(() => toCallback(harness.browser(), 'company')));
    await toCallback(harness.browser(), 'company');
    expect(harness.company.requests.filter((path) => path === METADATA)).toHaveLength(1);
  });

  it.each(
    ['/jwks', '/token', '/me'].flatMap((path) =>
      Object.entries(FAULTS).map(([name, fault]) => ({ path, name, fault })),
    ),
  )('opens no session after $name to the request $path', async ({ path, fault }) => {
    const browser = harness.browser();
    const url = await toCallback(browser, 'company');
    failAt(path, fault);
    expect(pathOf(await browser.send(url))).toBe(refused('provider_unavailable'));
    expect(await sessionOf(browser)).toBeNull();
  });

  it('signs users in again after its faults have ended', async () => {
    const browser = harness.browser();
    expect((await join(browser, 'company', harness.plane.orgId)).status).toBe(201);
    expect(pathOf(await signIn(browser, 'company'))).toBe(SIGNED_IN);
  });
});

it('a provider gets no request over plain HTTP on another host that its metadata names', async () => {
  const changed = await startOidcHarness();
  changed.company.intercept = ({ url = '' }, response) => {
    if (url !== METADATA) return false;
    const { url: issuer } = changed.company;
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: 'http://192.0.2.1/token',
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
    return true;
  };
  changed.company.account = { sub: 'ada', email: 'ada@example.com', email_verified: true };
  const visit = await signIn(changed.browser(), 'company');
  expect(pathOf(visit)).toBe(refused('provider_unavailable'));
  await changed.stop();
});
