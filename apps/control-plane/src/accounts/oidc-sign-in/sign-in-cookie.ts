import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { isSecretForm } from '../../platform/random-secrets.js';
import { SIGN_IN_SECONDS } from './sign-in-store.js';

/**
 * The cookie that binds a sign-in to a browser. It is `Lax`, because browsers do not send a `Strict` cookie
 * when the provider redirects back. A browser has one sign-in at a time.
 */
export class SignInCookie {
  private readonly name: string;
  private readonly options;

  /** @param publicUrl without `https:`, the cookie has no prefix and works on loopback */
  constructor(publicUrl: string) {
    const secure = publicUrl.startsWith('https:');
    this.name = secure ? '__Host-understudy-oidc' : 'understudy-oidc';
    this.options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  }

  /** @returns undefined if the request has no cookie with a secret */
  read({ headers }: FastifyRequest): string | undefined {
    const value = fastifyCookie.parse(headers.cookie ?? '')[this.name];
    return value !== undefined && isSecretForm(value) ? value : undefined;
  }

  write(reply: FastifyReply, secret: string): void {
    const options = { ...this.options, maxAge: SIGN_IN_SECONDS };
    void reply.header('set-cookie', fastifyCookie.serialize(this.name, secret, options));
  }

  clear(reply: FastifyReply): void {
    const options = { ...this.options, maxAge: 0 };
    void reply.header('set-cookie', fastifyCookie.serialize(this.name, '', options));
  }
}
