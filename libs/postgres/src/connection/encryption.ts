/** How far a server's identity is checked, as in libpq's `sslmode`; from the weakest to the strongest. */
export const SSL_MODES = ['require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** @param host an IPv6 address with or without brackets */
export function isLoopback(host: string): boolean {
  return /^(localhost|\[::1\]|::1|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i.test(host);
}

/**
 * The encryption that a URL asks for. Without `sslmode`, and with a mode of libpq's that may fall back to plaintext, a connection that
 * leaves the machine is encrypted.
 * @param mode undefined, or one of libpq's
 * @returns undefined: not encrypted
 */
export function sslModeOf(host: string, mode: string | undefined): SslMode | undefined {
  const named = SSL_MODES.find((known) => known === mode);
  if (named !== undefined || mode === 'disable') return named;
  return staysOnMachine(host) ? undefined : 'require';
}

/** Whether originals and the password of such a connection can be read on the network. */
export function isPlaintextRemote({ host, sslMode }: { host: string; sslMode?: SslMode }): boolean {
  return sslMode === undefined && !staysOnMachine(host);
}

/** Whether a connection that leaves the machine is encrypted as strongly as `minimum`; one that stays always is. */
export function isEncryptedAsIn(
  minimum: SslMode,
  { host, sslMode }: { host: string; sslMode?: SslMode },
): boolean {
  if (staysOnMachine(host)) return true;
  return sslMode !== undefined && SSL_MODES.indexOf(sslMode) >= SSL_MODES.indexOf(minimum);
}

/** A host that begins with a slash is the folder of a socket. */
function staysOnMachine(host: string): boolean {
  return host.startsWith('/') || isLoopback(host);
}
