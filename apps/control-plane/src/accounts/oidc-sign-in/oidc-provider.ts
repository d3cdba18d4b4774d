import type { Outbound } from '@understudy/outbound';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration as Client,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ClientAuth,
} from 'openid-client';

import type { OidcProviderSettings } from '../../platform/config/oidc-providers.js';
import { boundedFetch } from './bounded-fetch.js';
import { refusalOf, SignInRefusal } from './sign-in-refusal.js';

/** The values of one sign-in that bind the provider's response to it. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The account that a provider has authenticated. */
export interface ProviderAccount {
  /** 1 to 255 characters. Unique only together with the issuer. */
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
}

/**
 * Signs users in at one provider. The provider's metadata is fetched when it is first needed, and again after
 * an hour. Tokens of the provider are not kept.
 */
export class OidcProvider {
  private discovered: { readonly client: Promise<Client>; readonly until: number } | undefined;

  constructor(
    readonly settings: OidcProviderSettings,
    private readonly environment: {
      readonly outbound: Outbound;
      readonly redirectUri: string;
      readonly timeoutMs: number;
    },
  ) {}

  /**
   * Returns the URL at the provider to which the browser is sent.
   * @throws SignInRefusal if the provider's metadata cannot be fetched or used
   */
  authorizationUrl({ state, nonce, codeVerifier }: SignInChecks): Promise<string> {
    return refusing(async () => {
      const client = await this.client();
      return buildAuthorizationUrl(client, {
        redirect_uri: this.environment.redirectUri,
        scope: this.settings.scopes.join(' '),
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      }).href;
    });
  }

  /**
   * Exchanges the code of the provider's response for the account. Checks the response's state and issuer, and
   * the ID token's signature, issuer, audience, times and nonce. If the ID token has no address, asks the
   * user info endpoint for it.
   * @param query the query of the URL to which the provider sent the browser, with or without `?`
   * @throws SignInRefusal
   */
  redeem(query: string, { state, nonce, codeVerifier }: SignInChecks): Promise<ProviderAccount> {
    return refusing(async () => {
      const client = await this.client();
      const url = new URL(this.environment.redirectUri);
      url.search = query;
      const tokens = await authorizationCodeGrant(client, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims || new URL(claims.iss).href !== this.settings.issuer)
        throw new SignInRefusal('provider_refused', 'the ID token is of another issuer');
      const hasAddress = claims['email'] !== undefined;
      if (hasAddress || !client.serverMetadata().userinfo_endpoint) return toAccount(claims.sub, claims);
      return toAccount(claims.sub, await fetchUserInfo(client, tokens.access_token, claims.sub));
    });
  }

  /** Shares one request for the metadata among concurrent sign-ins. A failure is not kept. */
  private client(): Promise<Client> {
    const now = performance.now();
    if (this.discovered && now < this.discovered.until) return this.discovered.client;
    const client = this.discover();
    const discovered = { client, until: now + METADATA_MS };
    this.discovered = discovered;
    client.catch(() => {
      if (this.discovered === discovered) this.discovered = undefined;
    });
    return client;
  }

  private async discover(): Promise<Client> {
    const { issuer, clientId, clientSecret } = this.settings;
    const { outbound, timeoutMs } = this.environment;
    const server = new URL(issuer);
    const client = await discovery(server, clientId, {}, authentication(clientSecret), {
      [customFetch]: boundedFetch(outbound),
      timeout: timeoutMs / 1000,
      // Plain HTTP is only for an issuer on loopback; the configuration refuses others.
      execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])],
    });
    const { authorization_endpoint, token_endpoint, jwks_uri } = client.serverMetadata();
    if (!authorization_endpoint || !token_endpoint || !jwks_uri)
      throw new SignInRefusal('provider_refused', 'the metadata lacks an endpoint of the code flow');
    return client;
  }
}

const METADATA_MS = 3_600_000;

/** Sends the secret in the body if the server supports it, because servers decode the header differently. */
function authentication(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_post') ? inBody : inHeader)(server, ...rest);
  };
}

function toAccount(subject: string, claims: Readonly<Record<string, unknown>>): ProviderAccount {
  const { email, email_verified: isVerified } = claims;
  if (subject === '' || subject.length > 255 || subject.includes('\0'))
    throw new SignInRefusal('provider_refused', 'the subject is not a text of 1 to 255 characters');
  const isAddress = typeof email === 'string' && email.length <= 254 && !email.includes('\0');
  return {
    subject,
    email: isAddress ? email : null,
    isEmailVerified: isAddress && isVerified === true,
  };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}
