import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type Provider from 'oidc-provider';

import type { TestCertificate } from '../test-certificates.js';

/** The claims of an account at the issuer. */
export interface TestAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
}

/** A real OpenID Connect provider on loopback, whose users sign in without a page. */
export interface TestIssuer {
  readonly url: string;
  /** The account of the next sign-in. Null: the user refuses. */
  account: TestAccount | null;
  /** Handles requests instead of the provider if it returns true, to simulate faults. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Paths of the requests that arrived, without queries. */
  readonly requests: string[];
  stop(): Promise<void>;
}

export interface TestIssuerOptions {
  readonly redirectUri: string;
  readonly client: { readonly id: string; readonly secret?: string; readonly method: string };
  /** True if ID tokens contain the address. False: only the user info endpoint returns it. */
  readonly hasAddressInIdToken?: boolean;
  /** The certificate for `localhost`, for an issuer with HTTPS. */
  readonly certificate?: TestCertificate;
}

export async function startTestIssuer(options: TestIssuerOptions): Promise<TestIssuer> {
  const { certificate } = options;
  const server = certificate ? createTlsServer(certificate) : createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = certificate ? 'https://localhost' : 'http://127.0.0.1';
  const url = `${origin}:${(server.address() as AddressInfo).port}`;
  const issuer: TestIssuer = {
    url,
    account: null,
    intercept: () => false,
    requests: [],
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const provider = await createProvider(issuer, options);
  const handle = provider.callback();
  server.on('request', (request, response) => {
    issuer.requests.push(new URL(request.url ?? '/', url).pathname);
    if (issuer.intercept(request, response)) return;
    if (request.url?.startsWith('/interaction/')) void finishInteraction(issuer, provider, request, response);
    else (handle as RequestListener)(request, response);
  });
  return issuer;
}

function finishInteraction(
  { account }: TestIssuer,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = { error: 'access_denied', error_description: 'The user refused.' };
  const result = account ? { login: { accountId: account.sub } } : refusal;
  return provider.interactionFinished(request, response, result);
}

async function createProvider(
  issuer: TestIssuer,
  { redirectUri, client, hasAddressInIdToken = false }: TestIssuerOptions,
): Promise<Provider> {
  const ProviderClass = await quietly(async () => (await import('oidc-provider')).default);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const configuration = {
    clients: [
      {
        client_id: client.id,
        ...(client.secret === undefined ? {} : { client_secret: client.secret }),
        token_endpoint_auth_method: client.method,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    clientAuthMethods: [client.method],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !hasAddressInIdToken,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['signs the cookies of the provider in tests'] },
    features: { devInteractions: { enabled: false }, userinfo: { enabled: true } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => {
      const claims = { ...issuer.account, sub };
      return { accountId: sub, claims: () => claims };
    },
    // Gives consent without a page.
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  };
  const provider = await quietly(async () => new ProviderClass(issuer.url, configuration));
  return provider;
}

interface GrantContext {
  readonly oidc: {
    readonly session: { readonly accountId: string };
    readonly client: { readonly clientId: string };
  };
}

/** Suppresses the provider's advice for production, such as the advice to store its sessions in a database. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn, info } = console;
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, info });
  }
}
