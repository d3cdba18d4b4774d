import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

import type { AddressGuard } from './address-guard.js';
import { knownAddresses } from './receiver-url.js';

/** Returns the addresses of a host name. Rejects if it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The guard refuses every address of the host. */
export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('expected a host name with a public address');
    this.name = 'AddressRefusedError';
  }
}

/**
 * Returns the look-up function for a connection. The function returns only addresses that the guard accepts.
 * The connection uses these addresses without a second look-up, so that a later change of the host's
 * addresses (DNS rebinding) has no effect.
 */
export function guardedLookup(resolve: Resolve, allows: AddressGuard): LookupFunction {
  return (host, options, callback) => {
    const addresses = knownAddresses(host);
    void (addresses ? Promise.resolve(addresses) : resolve(host)).then(
      (found) => {
        const usable = found.filter(allows).map((address) => ({ address, family: isIP(address) }));
        const [first] = usable;
        if (first === undefined) callback(new AddressRefusedError(), '');
        else if (options.all) callback(null, usable);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

/**
 * Queries the name servers directly. `dns.lookup` would block one of the process's few threads as long as a
 * hostile name server delays its response.
 */
export const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
};
