import { isAcceptedNatsUrl } from '@understudy/agent-protocol/nats-trust';
import { ConfigurationError } from '../config/agent-configuration.js';

export interface JwtLifetime {
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Returns whether at least half of the JWT's lifetime has passed. */
export function isRenewalDue({ issuedAt, expiresAt }: JwtLifetime, { now }: { now: Date }): boolean {
  return now.getTime() >= (issuedAt.getTime() + expiresAt.getTime()) / 2;
}

/**
 * Checks that the agent may connect to the NATS addresses of the control plane. `tls://` and `wss://` are accepted
 * for any host, plain `nats://` only on loopback.
 * @throws ConfigurationError
 */
export function checkNatsAddresses(urls: readonly string[]): void {
  const refused = urls.filter((url) => !isAcceptedNatsUrl(url));
  if (urls.length > 0 && refused.length === 0) return;
  throw new ConfigurationError('The agent cannot connect to NATS', [
    urls.length === 0
      ? 'the control plane returned no NATS address'
      : 'the control plane returned a NATS address that is neither tls:// nor wss:// nor on loopback (correct its UNDERSTUDY_NATS_PUBLIC_URL)',
  ]);
}
