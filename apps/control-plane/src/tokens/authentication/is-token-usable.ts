export interface TokenTimes {
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A token ends at `expiresAt`, that instant included, and as soon as it is revoked. */
export function isTokenUsable(token: TokenTimes, now: Date): boolean {
  return token.revokedAt === null && now < token.expiresAt;
}

export const LAST_USED_RESOLUTION_MS = 60_000;

/** One write a minute says enough and keeps reads free of writes. */
export function isUseWorthNoting(token: TokenTimes, now: Date): boolean {
  return token.lastUsedAt === null || now.getTime() - token.lastUsedAt.getTime() >= LAST_USED_RESOLUTION_MS;
}
