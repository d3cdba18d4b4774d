import { createHash, randomBytes } from 'node:crypto';

import { drawSecret, formatToken } from './authentication/token-text.js';

/** A fresh token from the system's CSPRNG. */
export function newToken(): string {
  return formatToken(drawSecret(() => randomBytes(1).readUInt8(0)));
}

/** What is stored. A plain hash is enough: the secret has 178 random bits, there is nothing to guess. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
