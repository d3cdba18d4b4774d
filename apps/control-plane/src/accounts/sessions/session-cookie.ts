import { createHash, randomBytes } from 'node:crypto';

import { fastifyCookie } from '@fastify/cookie';

import { isLoopbackUrl } from '../../platform/http/pipeline/own-page.js';

/** The form of a secret: a prefix that secret scanners can find, and 256 random bits. */
const SECRET_FORM = /^us_session_[A-Za-z0-9_-]{43}$/;

export function newSessionSecret(): string {
  return `us_session_${randomBytes(32).toString('base64url')}`;
}

/** Returns the hash that is stored. A fast hash is safe, because a secret has 256 random bits. */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

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
    return secret !== undefined && SECRET_FORM.test(secret) ? secret : undefined;
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
