import ipaddr from 'ipaddr.js';

/** Says of an IP address, as text, whether the control plane may connect to it for a customer. */
export type AddressGuard = (address: string) => boolean;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Addresses that providers answer at inside of their machines, though they lie among the public ones. */
const SERVED_WITHIN: readonly Network[] = [ipaddr.parseCIDR('168.63.129.16/32')]; // Azure's wire server

/** All that is given out of IPv6 (RFC 4291, 2.4); what lies outside of it has special uses or none. */
const GLOBAL_UNICAST: Network = ipaddr.parseCIDR('2000::/3');

/**
 * Public addresses pass, and what the operator allows: an IPv4 address inside of an IPv6 one counts as the IPv4 address where
 * the system would connect to it (mapped), and is refused where a translator or tunnel would (NAT64, 6to4, Teredo).
 * @param allowedNetworks addresses and networks in CIDR form
 */
export function addressGuard(allowedNetworks: readonly string[]): AddressGuard {
  const allowed = allowedNetworks.map(parseNetwork);
  return (text) => {
    // The library reads ::1.2.3.4 (IPv4-compatible, long deprecated) as ::ffff:1.2.3.4; the system does not.
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
