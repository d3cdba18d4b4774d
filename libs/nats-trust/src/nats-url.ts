/** Describes the NATS server addresses that `isAcceptedNatsUrl` accepts, for error messages. */
export const ACCEPTED_NATS_URLS =
  'a URL that starts with tls://, or with nats:// for a loopback address, without user and password';

/**
 * Returns whether a process may connect to an address: `tls://` to any host, plaintext `nats://` only to a
 * loopback address, and neither with credentials in the address. The control plane checks an address before
 * it sends the address to agents. An agent checks the address again before it connects.
 */
export function isAcceptedNatsUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (hostname === '' || username !== '' || password !== '') return false;
  // `URL` does not change the case of the host for schemes that it does not know, so the comparison ignores
  // case.
  return protocol === 'tls:' || (protocol === 'nats:' && LOOPBACK.test(hostname.toLowerCase()));
}

/**
 * Returns whether the connection must use TLS from the first byte. The NATS client does not derive this from
 * the `tls://` of an address.
 */
export function asksForTls(urls: readonly string[]): boolean {
  return urls.some((url) => url.startsWith('tls:'));
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
