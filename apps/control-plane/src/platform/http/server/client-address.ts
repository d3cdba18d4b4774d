import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';

/** @returns the client's address; empty if the connection is closed */
export type ClientAddress = (socket: Pick<Socket, 'remoteAddress'>, headers: IncomingHttpHeaders) => string;

/**
 * Returns a function that finds the client's address by the same rule as Fastify. It starts with the
 * connection's own address and follows X-Forwarded-For as long as the forwarding proxy is trusted.
 * @param trustedProxies addresses and networks (CIDR)
 */
export function clientAddressBehind(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = isAddressOf(trustedProxies);
  return ({ remoteAddress = '' }, headers) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const chain = [...forwarded.map((one) => one.trim()).filter((one) => one !== ''), remoteAddress];
    return chain.findLast((address) => !isTrusted(address)) ?? chain[0] ?? '';
  };
}

/**
 * Returns a function that finds out whether an address is one of `networks`.
 * @param networks addresses and networks (CIDR)
 */
export function isAddressOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of networks) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
