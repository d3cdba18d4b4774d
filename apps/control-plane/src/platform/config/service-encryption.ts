import { isLoopback } from '@understudy/agent-protocol/nats-trust';

/** The services that UNDERSTUDY_ALLOW_PLAINTEXT can name. */
export const PLAINTEXT_SERVICES = ['postgresql', 'redis'] as const;
export type PlaintextService = (typeof PLAINTEXT_SERVICES)[number];

/** How the connection to PostgreSQL is encrypted. `disable`: it is not. */
export type DatabaseEncryption = 'disable' | 'require' | 'verify-ca' | 'verify-full';

export interface DatabaseAddress {
  /** A name, an address without brackets, or the folder of a Unix socket. */
  readonly host: string;
  readonly encryption: DatabaseEncryption;
  /** The URL without the parameter `sslmode`, which the driver would interpret differently. */
  readonly url: string;
}

/** The URL of PostgreSQL cannot be used. The message does not quote it. */
export class DatabaseUrlError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'DatabaseUrlError';
  }
}

/**
 * Reads the host and the encryption of a URL of PostgreSQL. If the URL has no `sslmode`, a connection to another
 * machine is encrypted and the server is verified. A mode of libpq that may fall back to plaintext counts as
 * `disable`.
 * @param text a text that `URL` can parse
 * @throws DatabaseUrlError
 */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const url = new URL(text);
  const parameters = url.searchParams;
  const forbidden = [...parameters.keys()].find((name) =>
    /^ssl(?!mode$)|^requiressl$|^uselibpqcompat$/.test(name),
  );
  if (forbidden !== undefined)
    throw new DatabaseUrlError(
      'must have no TLS parameter except sslmode; name trusted authorities in UNDERSTUDY_CA_FILE',
    );
  const modes = parameters.getAll('sslmode');
  const mode = modes[0];
  if (modes.length > 1 || (mode !== undefined && !SSL_MODES.has(mode)))
    throw new DatabaseUrlError(
      `must have at most one sslmode, which is one of ${[...SSL_MODES.keys()].join(', ')}`,
    );
  const host = parameters.getAll('host').at(-1) ?? hostOf(url); // the driver uses the last one
  if (host === '') throw new DatabaseUrlError('must name a host');
  const standard = staysOnMachine(host) ? 'disable' : 'verify-full';
  if (mode === undefined) return { host, url: text, encryption: standard };
  parameters.delete('sslmode');
  return { host, url: url.href, encryption: SSL_MODES.get(mode) ?? standard };
}

function hostOf({ hostname }: URL): string {
  try {
    return decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1');
  } catch {
    throw new DatabaseUrlError('must name a host'); // an invalid percent escape
  }
}

/** Returns whether others on the network could read the data and the password of the connection. */
export function isPlaintextDatabase({ host, encryption }: DatabaseAddress): boolean {
  return encryption === 'disable' && !staysOnMachine(host);
}

/** Returns whether others on the network could read the data and the password of the connection. */
export function isPlaintextRedis(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'redis:' && !isLoopback(hostname.toLowerCase());
}

/** Returns whether a connection stays on this machine. A host that begins with a slash is the folder of a socket. */
function staysOnMachine(host: string): boolean {
  return host.startsWith('/') || isLoopback(host.toLowerCase());
}

const SSL_MODES: ReadonlyMap<string, DatabaseEncryption> = new Map([
  ['disable', 'disable'],
  ['allow', 'disable'],
  ['prefer', 'disable'],
  ['require', 'require'],
  ['verify-ca', 'verify-ca'],
  ['verify-full', 'verify-full'],
]);
