export interface JwtLifetime {
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** A JWT is renewed from its half life on. */
export function isRenewalDue({ issuedAt, expiresAt }: JwtLifetime, { now }: { now: Date }): boolean {
  return now.getTime() >= (issuedAt.getTime() + expiresAt.getTime()) / 2;
}
