import ipaddr from 'ipaddr.js';

/** Returns whether the control plane may connect to an IP address on behalf of an organisation. */
export type AddressGuard = (address: string) => boolean;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Public addresses at which a cloud provider runs a service that only its own virtual machines can reach. */
const SERVED_WITHIN: readonly Network[] = [ipaddr.parseCIDR('168.63.129.16/32')]; // Azure's wire server

/**
 * All allocated IPv6 addresses (RFC 4291, section 2.4). Addresses outside this network are reserved for
 * special uses or unallocated.
 */
const GLOBAL_UNICAST: Network = ipaddr.parseCIDR('2000::/3');

/**
 * Returns a guard that accepts public addresses and the networks that the operator allows. An IPv4-mapped
 * IPv6 address counts as the IPv4 address, because the system would connect to that. IPv6 addresses for
 * translators and tunnels (NAT64, 6to4, Teredo) are refused.
 * @param allowedNetworks addresses and networks (CIDR)
 */
export function addressGuard(allowedNetworks: readonly string[]): AddressGuard {
  const allowed = allowedNetworks.map(parseNetwork);
  return (text) => {
    // The library reads ::1.2.3.4 (IPv4-compatible, deprecated) as ::ffff:1.2.3.4, but the operating system
    // does not.
    if (!ipaddr.isValid(text) || /^::\d+\./.test(text)) return false;
    const address = ipaddr.process(text);
    return isPublic(address) || allowed.some((network) => isWithin(address, network));
  };
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || SERVED_WITHIN.some((network) => isWithin(address, network)))
    return false;
  return address.kind() === 'ipv4' || isWithin(address, GLOBAL_UNICAST);
}

function isWithin(address: Address, [base, bits]: Network): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
