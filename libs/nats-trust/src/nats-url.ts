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

/** Returns whether a host is this machine. @param host a name or an address in lower case, IPv6 with or without brackets */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(host);
}
