import { Injectable, Logger } from '@nestjs/common';
import { Outbound } from '@understudy/outbound';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';

import { Configuration } from '../../platform/config/configuration.js';
import { ApiError, notFound } from '../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../platform/http/pipeline/caller-request.js';
import { MemberAccounts, type AccountMember } from './member-accounts.js';
import { OidcProvider } from './oidc-provider.js';
import { SignInRefusal } from './sign-in-refusal.js';
import { SignInStore, type PendingChoice } from './sign-in-store.js';

/** The path of the pages and calls of sign-in, below the public URL. */
export const OIDC_PATH = '/dashboard/oidc';

/** The outcome of a provider's response: one linked member, or the secret of a browser that chooses or confirms one. */
export type SignInOutcome = { readonly member: AccountMember } | { readonly choiceSecret: string };

/** Signs members in through the configured providers. */
@Injectable()
export class OidcSignInService {
  private readonly logger = new Logger('oidc');
  private readonly providers: ReadonlyMap<string, OidcProvider>;

  constructor(
    private readonly store: SignInStore,
    private readonly accounts: MemberAccounts,
    outbound: Outbound,
    { oidc, http }: Configuration,
  ) {
    this.providers = new Map(
      oidc.providers.map((settings) => {
        const redirectUri = `${http.publicUrl}${OIDC_PATH}/${settings.id}/callback`;
        return [
          settings.id,
          new OidcProvider(settings, { outbound, redirectUri, timeoutMs: oidc.timeoutMs }),
        ];
      }),
    );
  }

  /** Returns the providers for the sign-in page, in the order of the configuration. */
  offered(): readonly { readonly id: string; readonly name: string }[] {
    return [...this.providers.values()].map(({ settings: { id, name } }) => ({ id, name }));
  }

  /**
   * Starts a sign-in.
   * @returns the URL at the provider, and the secret for the browser's cookie
   * @throws ApiError `not_found` if there is no such provider
   * @throws SignInRefusal if the provider cannot be used
   */
  async start(providerId: string): Promise<{ readonly url: string; readonly secret: string }> {
    const provider = this.providers.get(providerId);
    if (!provider) throw notFound();
    const checks = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
    const url = await this.logged(provider, () => provider.authorizationUrl(checks));
    return { url, secret: await this.store.start(providerId, checks) };
  }

  /**
   * Ends the sign-in of a browser with the provider's response.
   * @param query the query of the request that the provider redirected
   * @param secret the secret in the browser's cookie
   * @throws ApiError `not_found` if there is no such provider
   * @throws SignInRefusal
   */
  async finish(
    providerId: string,
    { query, secret, request }: { query: string; secret: string | undefined; request: ApiRequest },
  ): Promise<SignInOutcome> {
    const provider = this.providers.get(providerId);
    if (!provider) throw notFound();
    return this.logged(provider, async () => {
      const state = new URLSearchParams(query).get('state');
      const isStarted = secret !== undefined && state !== null && !state.includes('\0');
      const checks = isStarted ? await this.store.finish(secret, providerId, state) : undefined;
      if (!checks) throw new SignInRefusal('expired', 'this browser has no such sign-in');
      const account = await provider.redeem(query, checks);
      const { user, members } = await this.accounts.signIn(provider.settings, account, request);
      const [member, ...others] = members;
      if (member?.isLinked && others.length === 0) return { member };
      return { choiceSecret: await this.store.startChoice({ providerId, ...user }) };
    });
  }

  /** Returns the members between which a browser chooses. @throws ApiError `unauthorized` if it has no choice */
  async choices(secret: string | undefined): Promise<readonly AccountMember[]> {
    const { choice, provider } = await this.findChoice(secret);
    return this.accounts.find(provider.settings, choice);
  }

  /**
   * Ends the choice of a browser, and links the member if it is only offered.
   * @throws ApiError `unauthorized` if the browser has no choice, or `not_found` if the organisation is not
   *   one of the choices; the choice then remains
   */
  async choose(
    secret: string | undefined,
    organizationId: string,
    request: ApiRequest,
  ): Promise<AccountMember> {
    const { choice, provider } = await this.findChoice(secret);
    const members = await this.accounts.find(provider.settings, choice);
    const member = members.find((one) => one.organizationId === organizationId);
    if (!member) throw notInList();
    if (secret === undefined || !(await this.store.endChoice(secret))) throw noChoice();
    const isLinked =
      member.isLinked || (await this.accounts.confirm(provider.settings, choice, member, { request }));
    if (!isLinked) throw notInList();
    return member;
  }

  private async findChoice(
    secret: string | undefined,
  ): Promise<{ readonly choice: PendingChoice; readonly provider: OidcProvider }> {
    const choice = secret === undefined ? undefined : await this.store.findChoice(secret);
    const provider = choice && this.providers.get(choice.providerId);
    if (!provider) throw noChoice();
    return { choice, provider };
  }

  /** Logs refusals for the operator. The user sees only the code. */
  private async logged<T>({ settings }: OidcProvider, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SignInRefusal)
        this.logger.warn(`sign-in through ${settings.id} ended with ${error.message}`);
      throw error;
    }
  }
}

function notInList(): ApiError {
  return new ApiError('not_found', 'Expected the id of an organisation in this list.');
}

function noChoice(): ApiError {
  return new ApiError('unauthorized', 'Expected a sign-in that is not older than 10 minutes. Sign in again.');
}
