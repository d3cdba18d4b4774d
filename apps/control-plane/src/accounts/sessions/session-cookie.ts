import { fastifyCookie } from '@fastify/cookie';

import { isLoopbackUrl } from '../../platform/http/pipeline/own-page.js';
import { isSecretForm, newSecret } from '../../platform/random-secrets.js';

const PREFIX = 'us_session_';

export const newSessionSecret = (): string => newSecret(PREFIX);

/**
 * The cookie that holds the secret of a session. Scripts cannot read it, and browsers send it only with
 * requests from pages of the same site. Over HTTPS, the prefix `__Host-` prevents other hosts and plain HTTP
 * from setting it.
 */
export class SessionCookie {
  readonly name: string;
  /** False if the cookie would cross a network in plaintext. The dashboard then refuses to sign anyone in. */
  readonly isAllowed: boolean;
  private readonly isSecure: boolean;

  /** @param publicUrl the URL at which browsers reach this server */
  constructor(publicUrl: string) {
    this.isSecure = new URL(publicUrl).protocol === 'https:';
    this.isAllowed = this.isSecure || isLoopbackUrl(publicUrl);
    this.name = this.isSecure ? '__Host-understudy' : 'understudy';
  }

  /**
   * Returns the secret of a session from a Cookie header.
   * @returns undefined if the header has no well-formed secret
   */
  read(header: string | undefined): string | undefined {
    const secret = header === undefined ? undefined : fastifyCookie.parse(header)[this.name];
    return secret !== undefined && isSecretForm(secret, PREFIX) ? secret : undefined;
  }

  /** Returns the Set-Cookie header for a new session. The cookie ends with the browser, at the latest. */
  set(secret: string): string {
    return fastifyCookie.serialize(this.name, secret, this.attributes);
  }

  /** Returns the Set-Cookie header that removes the cookie. */
  clear(): string {
    return fastifyCookie.serialize(this.name, '', { ...this.attributes, maxAge: 0 });
  }

  private get attributes() {
    return { path: '/', httpOnly: true, secure: this.isSecure, sameSite: 'strict' as const };
  }
}
