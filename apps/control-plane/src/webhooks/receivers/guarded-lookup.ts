import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

import type { AddressGuard } from './address-guard.js';
import { knownAddresses } from './receiver-url.js';

/** Addresses of a name. Rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Nothing that the host leads to may be connected to. */
export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('the name leads to no public address');
    this.name = 'AddressRefusedError';
  }
}

/**
 * The look-up of a connection, with the guard inside: what it gives is what is connected to, and nothing looks the name up a
 * second time, so a name that changes its address in between (DNS rebinding) gains nothing.
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
 * Asks the name servers themselves. `dns.lookup` would occupy one of the process's few threads for as long as a hostile
 * name server likes.
 */
export const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
};
