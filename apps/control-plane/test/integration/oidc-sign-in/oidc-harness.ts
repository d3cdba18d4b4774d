import { startTestIssuer, type TestIssuer } from '@understudy/testing';
import { ulid } from 'ulid';

import { DEFAULTS, type Configuration } from '../../../src/platform/config/configuration.js';
import type { OidcProviderSettings } from '../../../src/platform/config/oidc-providers.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { TestBrowser, type Visit } from './test-browser.js';

/** The public URL has a path, and HTTPS ends at a proxy in front of the server. */
export const PUBLIC_URL = 'https://understudy.test/a/b';
export const FLOW_COOKIE = '__Host-understudy-oidc';
export const SIGNED_IN = '303 /dashboard/';
export const CHOOSE = '303 /dashboard/choose-organization';
export const SESSION_COOKIE = '__Host-understudy';

export interface OidcHarness {
  readonly plane: ControlPlane;
  /** A provider with the id `company`. Its ID tokens have no address. */
  readonly company: TestIssuer;
  /** A provider with the id `partner`, for a public client. Its ID tokens have the address. */
  readonly partner: TestIssuer;
  browser(): TestBrowser;
  /** Creates a member, by default one who has accepted the invitation. */
  addMember(email: string, options?: { orgId?: string; hasJoined?: boolean }): Promise<string>;
  stop(): Promise<void>;
}

/** @param changes of the settings, and of the provider `partner` */
export async function startOidcHarness(
  changes: Partial<Configuration['oidc']> & {
    readonly partner?: Partial<OidcProviderSettings>;
    readonly signInsPerMinute?: number;
  } = {},
): Promise<OidcHarness> {
  const { partner: partnerChanges, signInsPerMinute = 100_000, ...oidc } = changes;
  const company = await startTestIssuer({
    redirectUri: callbackOf('company'),
    client: { id: 'understudy', secret: 'a secret with % and +:', method: 'client_secret_basic' },
  });
  const partner = await startTestIssuer({
    redirectUri: callbackOf('partner'),
    client: { id: 'understudy', method: 'none' },
    hasAddressInIdToken: true,
  });
  const common = { clientId: 'understudy', scopes: ['openid', 'email'] };
  const providers: OidcProviderSettings[] = [
    {
      ...{ ...common, id: 'company', name: 'Company account', issuer: `${company.url}/` },
      clientSecret: 'a secret with % and +:',
    },
    { ...common, id: 'partner', name: 'Partner', issuer: `${partner.url}/`, ...partnerChanges },
  ];
  const plane = await startControlPlane({
    http: { publicUrl: PUBLIC_URL },
    oidc: { ...DEFAULTS.oidc, providers, ...oidc },
    rateLimits: { signInsPerMinute },
  });
  return {
    plane,
    company,
    partner,
    browser: () => new TestBrowser({ [PUBLIC_URL]: plane.url }),
    addMember: async (email, { orgId = plane.orgId, hasJoined = true } = {}) => {
      const id = `mem_${ulid()}`;
      await plane.query(
        `INSERT INTO members (id, organization_id, email, email_key, role, invited_at, joined_at, invitation_hash, invitation_expires_at)
         VALUES ($1, $2, $3, lower($3), 'member', now(), $4, $5, $6)`,
        hasJoined
          ? [id, orgId, email, new Date(), null, null]
          : [id, orgId, email, null, Buffer.alloc(32, id), new Date(Date.now() + 86_400_000)],
      );
      return id;
    },
    stop: async () => {
      await plane.stop();
      await company.stop();
      await partner.stop();
    },
  };
}

export function startOf(providerId: string): string {
  return `${PUBLIC_URL}/dashboard/oidc/${providerId}`;
}

export function callbackOf(providerId: string): string {
  return `${startOf(providerId)}/callback`;
}

/** Signs in at the provider. @returns the URL to which the provider redirects, which is not requested */
export function toCallback(browser: TestBrowser, providerId: string): Promise<string> {
  return browser.follow(startOf(providerId), (url) => url.startsWith(callbackOf(providerId)));
}

/** Runs a whole sign-in. @returns the response to the provider's redirect */
export async function signIn(browser: TestBrowser, providerId: string): Promise<Visit> {
  return browser.send(await toCallback(browser, providerId));
}

/** Chooses or confirms an organisation after a sign-in. */
export function choose(browser: TestBrowser, organization_id: unknown, site?: string): Promise<Visit> {
  const url = `${PUBLIC_URL}/dashboard/oidc/organization`;
  return browser.send(url, { method: 'POST', body: { organization_id }, ...(site && { site }) });
}

/** Returns the organisations that a browser can choose. */
export async function choicesOf(browser: TestBrowser): Promise<unknown> {
  const { text } = await browser.send(`${PUBLIC_URL}/dashboard/oidc/organizations`);
  return (JSON.parse(text) as { data?: unknown }).data;
}

/** Signs in, and confirms the organisation. @returns the response to the confirmation */
export async function join(browser: TestBrowser, providerId: string, orgId: string): Promise<Visit> {
  const visit = await signIn(browser, providerId);
  if (pathOf(visit) !== CHOOSE) throw new Error(`expected ${CHOOSE}, received ${pathOf(visit)}`);
  return choose(browser, orgId);
}

/** Returns the path of a redirect below the public URL, with its query. */
export function pathOf({ status, headers }: Visit): string {
  const { pathname, search } = new URL(headers.get('location') ?? '', PUBLIC_URL);
  return `${status} ${pathname.replace(new URL(PUBLIC_URL).pathname, '')}${search}`;
}

/** Returns the session of a browser, or null if it has none. */
export async function sessionOf(browser: TestBrowser): Promise<SessionData | null> {
  const { status, text } = await browser.send(`${PUBLIC_URL}/dashboard/session`);
  return status === 200 ? (JSON.parse(text) as { data: SessionData }).data : null;
}

export interface SessionData {
  readonly id: string;
  readonly organization: { readonly id: string; readonly name: string };
  readonly member: { readonly id: string; readonly email: string };
  readonly signed_in_by: string;
}
