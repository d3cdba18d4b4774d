import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Describes the NATS server addresses that `isAcceptedNatsUrl` accepts, for error messages. */
export const ACCEPTED_NATS_URLS =
  'a URL that starts with tls:// or wss://, or with nats:// for a loopback address, without user and password';

/**
 * Returns whether a process may connect to an address. Accepts `tls://` and `wss://` to any host, and plaintext
 * `nats://` to a loopback address. Refuses credentials in the address. Both ends use this rule: the control plane
 * checks its own address and the address that it sends to agents, and an agent checks the address again.
 */
export function isAcceptedNatsUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text);
  if (hostname === '' || username !== '' || password !== '' || hash !== '') return false;
  if (protocol === 'wss:') return true;
  if (search !== '' || (pathname !== '' && pathname !== '/')) return false; // only HTTP servers have paths
  // `URL` does not change the case of the host for schemes that it does not know, so the comparison ignores
  // case.
  return protocol === 'tls:' || (protocol === 'nats:' && isLoopback(hostname.toLowerCase()));
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Returns whether a host is this machine. A text that is neither `localhost` nor an address does not count, because a
 * name server could resolve it to another machine.
 * @param host a name or an address in lower case; IPv6 with or without brackets
 */
export function isLoopback(host: string): boolean {
  if (isIPv4(host)) return LOOPBACK.check(host, 'ipv4');
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return isIPv6(address) ? LOOPBACK.check(address, 'ipv6') : host === 'localhost';
}
