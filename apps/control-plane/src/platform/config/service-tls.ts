import { checkServerIdentity, type ConnectionOptions, type PeerCertificate } from 'node:tls';

import { Outbound, type OutboundSettings } from '@understudy/outbound';

import type { DatabaseAddress } from './service-encryption.js';

/**
 * Returns the TLS options for connections to PostgreSQL. False means that they are not encrypted. `require` does not
 * verify the server, and `verify-ca` does not compare its name.
 */
export function databaseTls(
  { host, encryption }: DatabaseAddress,
  settings?: OutboundSettings,
): ConnectionOptions | false {
  if (encryption === 'disable') return false;
  return Object.defineProperties(trust(settings), {
    rejectUnauthorized: { value: encryption !== 'require', enumerable: true },
    // Without this function, Node.js would compare the certificate of a server at an IP address with `localhost`.
    checkServerIdentity: {
      value: (_: string, certificate: PeerCertificate) =>
        encryption === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
      enumerable: true,
    },
  });
}

/** Returns the option `tls` of the Redis client: an empty object, unless the URL starts with `rediss://`. */
export function redisTls(url: string, settings?: OutboundSettings): { readonly tls?: ConnectionOptions } {
  return new URL(url).protocol === 'rediss:' ? { tls: trust(settings) } : {};
}

/** The drivers copy these options for each connection, so a CA file that changes takes effect for the next one. */
function trust(settings?: OutboundSettings): ConnectionOptions {
  const outbound = new Outbound(settings);
  return {
    minVersion: 'TLSv1.2',
    get ca() {
      return outbound.trust().ca;
    },
  };
}
