import { isAcceptedNatsUrl } from '@understudy/nats-trust';
import { ConfigurationError } from '../config/agent-configuration.js';

export interface JwtLifetime {
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** A JWT is renewed from its half life on. */
export function isRenewalDue({ issuedAt, expiresAt }: JwtLifetime, { now }: { now: Date }): boolean {
  return now.getTime() >= (issuedAt.getTime() + expiresAt.getTime()) / 2;
}

/**
 * Whether the addresses the control plane named may be dialled: tls:// anywhere, plain nats:// on loopback only.
 * @throws ConfigurationError
 */
export function checkNatsAddresses(urls: readonly string[]): void {
  const refused = urls.filter((url) => !isAcceptedNatsUrl(url));
  if (urls.length > 0 && refused.length === 0) return;
  throw new ConfigurationError('NATS cannot be dialled', [
    urls.length === 0
      ? 'the control plane named no NATS address'
      : 'the control plane named a NATS address that is neither tls:// nor on loopback (its UNDERSTUDY_NATS_PUBLIC_URL)',
  ]);
}
