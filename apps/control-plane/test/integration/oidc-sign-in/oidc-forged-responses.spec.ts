import { generateKeyPairSync } from 'node:crypto';

import {
  callbackOf,
  FLOW_COOKIE,
  join,
  pathOf,
  PUBLIC_URL,
  sessionOf,
  SIGNED_IN,
  startOf,
  startOidcHarness,
  toCallback,
  type OidcHarness,
} from './oidc-harness.js';
import type { TestBrowser } from './test-browser.js';

const refused = (code: string) => `303 /dashboard/sign-in?error=${code}`;

/** Returns the URL with a changed query parameter, or without it if the value is null. */
function withParameter(url: string, name: string, value: string | null): string {
  const changed = new URL(url);
  if (value === null) changed.searchParams.delete(name);
  else changed.searchParams.set(name, value);
  return changed.href;
}

describe('a forged or repeated response of a provider', () => {
  let harness: OidcHarness;
  beforeAll(async () => {
    harness = await startOidcHarness();
    await harness.addMember('ada@example.com');
    const account = { sub: 'ada', email: 'ada@example.com', email_verified: true };
    Object.assign(harness.company, { account });
    Object.assign(harness.partner, { account });
    await join(harness.browser(), 'company', harness.plane.orgId);
  });
  afterAll(() => harness.stop());

  const expectRefused = async (browser: TestBrowser, url: string, code: string) => {
    expect(pathOf(await browser.send(url))).toBe(refused(code));
    expect(await sessionOf(browser)).toBeNull();
  };

  it.each(['wrong', '', null, 'with\0zero'])(
    'is refused with the state %j, and does not end the sign-in',
    async (state) => {
      const browser = harness.browser();
      const url = await toCallback(browser, 'company');
      await expectRefused(browser, withParameter(url, 'state', state), 'expired');
      expect(pathOf(await browser.send(url))).toBe(SIGNED_IN);
    },
  );

  it('is refused with two states', async () => {
    const browser = harness.browser();
    const url = await toCallback(browser, 'company');
    await expectRefused(browser, `${url}&state=other`, 'provider_refused');
  });

  it('is refused the second time', async () => {
    const browser = harness.browser();
    const url = await toCallback(browser, 'company');
    const cookie = browser.cookie(PUBLIC_URL, FLOW_COOKIE) ?? '';
    expect(pathOf(await browser.send(url))).toBe(SIGNED_IN);
    const other = harness.browser();
    other.setCookie(PUBLIC_URL, FLOW_COOKIE, cookie);
    await expectRefused(other, url, 'expired');
  });

  it('is refused for all but one of several concurrent requests', async () => {
    const browser = harness.browser();
    const url = await toCallback(browser, 'company');
    const visits = await Promise.all([1, 2, 3, 4].map(() => browser.send(url)));
    expect(visits.map(pathOf).sort()).toEqual([SIGNED_IN, ...Array(3).fill(refused('expired'))].sort());
  });

  it('is refused if its code was used for another sign-in', async () => {
    const browser = harness.browser();
    const used = await toCallback(browser, 'company');
    expect(pathOf(await browser.send(used))).toBe(SIGNED_IN);
    const other = harness.browser();
    const url = await toCallback(other, 'company');
    const code = new URL(used).searchParams.get('code');
    await expectRefused(other, withParameter(url, 'code', code), 'provider_refused');
  });

  it('is refused if its code belongs to the sign-in of another browser', async () => {
    const code = new URL(await toCallback(harness.browser(), 'company')).searchParams.get('code');
    const victim = harness.browser();
    const url = await toCallback(victim, 'company');
    await expectRefused(victim, withParameter(url, 'code', code), 'provider_refused');
  });

  it('is refused in a browser that did not start the sign-in', async () => {
    const url = await toCallback(harness.browser(), 'company');
    await expectRefused(harness.browser(), url, 'expired');
    const other = harness.browser();
    await toCallback(other, 'company');
    await expectRefused(other, url, 'expired');
  });

  it.each(['x', 'a'.repeat(43), `${'a'.repeat(42)}%00`, '"; DROP'])(
    'is refused with the cookie %j',
    async (cookie) => {
      const browser = harness.browser();
      const url = await toCallback(browser, 'company');
      browser.setCookie(PUBLIC_URL, FLOW_COOKIE, cookie);
      await expectRefused(browser, url, 'expired');
    },
  );

  it('is refused 10 minutes after the start of the sign-in', async () => {
    const browser = harness.browser();
    const url = await toCallback(browser, 'company');
    await harness.plane.query(`UPDATE oidc_sign_ins SET expires_at = expires_at - interval '600 s'`);
    await expectRefused(browser, url, 'expired');
  });

  it.each(['http://127.0.0.1:1', null])('is refused with the issuer %j', async (issuer) => {
    const browser = harness.browser();
    const url = await toCallback(browser, 'company');
    await expectRefused(browser, withParameter(url, 'iss', issuer), 'provider_refused');
  });

  it('is refused if it arrives at the redirect URI of another provider', async () => {
    const browser = harness.browser();
    const url = await toCallback(browser, 'company');
    await expectRefused(browser, url.replace(callbackOf('company'), callbackOf('partner')), 'expired');
  });

  it.each(['nonce', 'code_challenge'])('is refused if the request had another %s', async (name) => {
    const browser = harness.browser();
    const start = await browser.send(startOf('company'));
    const changed = withParameter(start.headers.get('location') ?? '', name, 'a'.repeat(43));
    const url = await browser.follow(changed, (next) => next.startsWith(callbackOf('company')));
    await expectRefused(browser, url, 'provider_refused');
  });

  it('is refused if the ID token has an invalid signature', async () => {
    const browser = harness.browser();
    const url = await toCallback(browser, 'partner');
    harness.partner.intercept = ({ url: path = '' }, response) => {
      if (!path.startsWith('/jwks')) return false;
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }];
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
      return true;
    };
    await expectRefused(browser, url, 'provider_refused');
    harness.partner.intercept = () => false;
  });
});
