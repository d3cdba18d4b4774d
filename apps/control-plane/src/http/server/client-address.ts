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
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return ({ remoteAddress = '' }, headers) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const chain = [...forwarded.map((one) => one.trim()).filter((one) => one !== ''), remoteAddress];
    return chain.findLast((address) => !isTrusted(address)) ?? chain[0] ?? '';
  };
}
