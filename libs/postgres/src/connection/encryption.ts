import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The modes of libpq's `sslmode` that encrypt, from the weakest to the strongest check of the server's identity. */
export const SSL_MODES = ['require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Tests whether a host is this machine. A text that is neither `localhost` nor an address does not count, because a
 * name server could resolve it to another machine.
 * @param host a name or an address; IPv6 with or without brackets
 */
export function isLoopback(host: string): boolean {
  if (isIPv4(host)) return LOOPBACK.check(host, 'ipv4');
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return isIPv6(address) ? LOOPBACK.check(address, 'ipv6') : host.toLowerCase() === 'localhost';
}

/**
 * Returns the encryption that a URL requests. Without `sslmode`, or with a mode of libpq that may fall back to
 * plaintext, a connection to another machine is encrypted.
 * @param mode a mode of libpq, or undefined
 * @returns undefined if the connection is not encrypted
 */
export function sslModeOf(host: string, mode: string | undefined): SslMode | undefined {
  const named = SSL_MODES.find((known) => known === mode);
  if (named !== undefined || mode === 'disable') return named;
  return staysOnMachine(host) ? undefined : 'require';
}

/** Tests whether others on the network could read the data and the password of a connection. */
export function isPlaintextRemote({ host, sslMode }: { host: string; sslMode?: SslMode }): boolean {
  return sslMode === undefined && !staysOnMachine(host);
}

/** Tests whether a connection's mode is at least as strict as `minimum`. A connection to this machine always passes. */
export function isEncryptedAsIn(
  minimum: SslMode,
  { host, sslMode }: { host: string; sslMode?: SslMode },
): boolean {
  if (staysOnMachine(host)) return true;
  return sslMode !== undefined && SSL_MODES.indexOf(sslMode) >= SSL_MODES.indexOf(minimum);
}

/** Tests whether a connection stays on this machine. A host that begins with a slash is the folder of a socket. */
function staysOnMachine(host: string): boolean {
  return host.startsWith('/') || isLoopback(host);
}
