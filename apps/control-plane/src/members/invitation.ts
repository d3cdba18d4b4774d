import { createHash, randomBytes } from 'node:crypto';

export const INVITATION_LIFETIME_MS = 7 * 86_400_000;

/** Shown once, used once. */
export function newInvitation(): string {
  return `us_invite_${randomBytes(32).toString('base64url')}`;
}

/** 256 random bits need no slow hash. */
export function hashOfInvitation(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
