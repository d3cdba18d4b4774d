import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Configuration } from '../../platform/config/configuration.js';
import { enforce, RateLimiter } from '../../platform/http/rate-limits/rate-limiter.js';
import type { SessionResponse } from '../sessions/session.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { AccountMember } from './member-accounts.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { SignInCookie } from './sign-in-cookie.js';
import { SignInRefusal } from './sign-in-refusal.js';

/** An organisation in which a user can open a session. */
export interface OrganizationChoice {
  readonly id: string;
  readonly name: string;
  /** False if the choice links the account to the organisation. */
  readonly is_linked: boolean;
}

/** Leads a browser through a sign-in: sets its cookies, and redirects it to the provider and to the dashboard's pages. */
@Injectable()
export class BrowserSignIn {
  private readonly cookie: SignInCookie;
  /** The path of the dashboard as browsers see it, including the path of the public URL. */
  private readonly dashboard: string;

  constructor(
    private readonly signIns: OidcSignInService,
    private readonly sessions: SessionsService,
    private readonly limiter: RateLimiter,
    { http }: Configuration,
  ) {
    this.cookie = new SignInCookie(http.publicUrl);
    this.dashboard = `${new URL(http.publicUrl).pathname.replace(/\/$/, '')}/dashboard`;
  }

  /**
   * Redirects to the provider, or to the sign-in page with the code of an error. A request that another site
   * caused gets the sign-in page, so that such a site can neither sign a user in nor use up the user's attempts.
   */
  async start(providerId: string, reply: FastifyReply): Promise<void> {
    this.sessions.assertAllowed();
    if (isCausedByAnotherSite(reply.request)) return redirect(reply, 303, `${this.dashboard}/sign-in`);
    enforce(await this.limiter.spendOfSignIn(reply.request.ip), reply);
    await this.redirecting(reply, async () => {
      const { url, secret } = await this.signIns.start(providerId);
      this.cookie.write(reply, secret);
      redirect(reply, 302, url);
    });
  }

  /** Opens a session and redirects to the dashboard, to the choice of an organisation, or to the sign-in page. */
  async finish(providerId: string, reply: FastifyReply): Promise<void> {
    const { request } = reply;
    await this.redirecting(reply, async () => {
      const secret = this.cookie.read(request);
      const outcome = await this.signIns.finish(providerId, { query: queryOf(request), secret, request });
      if ('choiceSecret' in outcome) {
        this.cookie.write(reply, outcome.choiceSecret);
        return redirect(reply, 303, `${this.dashboard}/choose-organization`);
      }
      await this.open(outcome.member, reply);
      redirect(reply, 303, `${this.dashboard}/`);
    });
  }

  /** @throws ApiError `unauthorized` if the browser has no choice */
  async choices(request: FastifyRequest): Promise<readonly OrganizationChoice[]> {
    const members = await this.signIns.choices(this.cookie.read(request));
    return members.map(({ organizationId: id, organizationName: name, isLinked: is_linked }) => ({
      id,
      name,
      is_linked,
    }));
  }

  /**
   * Opens a session in the chosen organisation. Links the account to it if it is not linked yet.
   * @throws ApiError `unauthorized` if the browser has no choice, or `not_found` if the organisation is not in it
   */
  async choose(organizationId: string, reply: FastifyReply): Promise<SessionResponse> {
    const member = await this.signIns.choose(this.cookie.read(reply.request), organizationId, reply.request);
    return this.open(member, reply);
  }

  private open(
    { id: memberId, organizationId }: AccountMember,
    reply: FastifyReply,
  ): Promise<SessionResponse> {
    this.cookie.clear(reply);
    return this.sessions.open({ organizationId, memberId, token: null, signedInBy: 'oidc' }, reply);
  }

  /** Runs a step of a navigation. A refusal becomes a redirect, because the user has no page to show it on. */
  private async redirecting(reply: FastifyReply, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof SignInRefusal)) throw error;
      redirect(reply, 303, `${this.dashboard}/sign-in?error=${error.code}`);
    }
  }
}

/** Returns false for a browser that does not send Sec-Fetch-Site. */
function isCausedByAnotherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

/** Returns the query of the request as received, because the router's own parser changes repeated parameters. */
function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

function redirect(reply: FastifyReply, status: 302 | 303, url: string): void {
  void reply.header('cache-control', 'no-store').redirect(url, status);
}
