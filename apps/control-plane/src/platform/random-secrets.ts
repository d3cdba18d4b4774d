import { createHash, randomBytes } from 'node:crypto';

/**
 * Creates a secret of 256 random bits, which is shown once.
 * @param prefix names the kind of the secret, so that secret scanners can find it
 */
export function newSecret(prefix = ''): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/** Returns whether a text has the form of a secret with this prefix. */
export function isSecretForm(text: string, prefix = ''): boolean {
  return text.startsWith(prefix) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(prefix.length));
}

/**
 * Returns the SHA-256 hash that is stored instead of a secret. A fast hash is safe, because nobody can guess the 256
 * random bits of a secret, or the 178 of an API token.
 */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
