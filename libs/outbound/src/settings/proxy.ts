import { BlockList, isIP } from 'node:net';

/** An HTTP proxy. Its credentials are only in `authorization`, which must not be logged. */
export interface Proxy {
  readonly host: string;
  readonly port: number;
  /** Whether the connection to the proxy itself uses TLS. */
  readonly tls: boolean;
  /** The value of the header Proxy-Authorization. */
  readonly authorization?: string;
}

/**
 * Reads the URL of a proxy. As in curl, a URL without a protocol means `http://`, and the default port is 1080
 * for `http://` and 443 for `https://`.
 * @returns undefined if the text is not such a URL
 */
export function readProxy(text: string): Proxy | undefined {
  const url = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, username, password } = new URL(url);
  if ((protocol !== 'http:' && protocol !== 'https:') || hostname === '') return undefined;
  const credentials = decoded(`${username}:${password}`);
  if (credentials === undefined) return undefined;
  return Object.freeze({
    host: withoutBrackets(hostname),
    port: explicitPort(url) ?? (protocol === 'https:' ? 443 : 1080),
    tls: protocol === 'https:',
    ...(username === ''
      ? {}
      : { authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` }),
  });
}

/**
 * Returns whether a host is reached without the proxy, by the rules of curl. The entry `*` matches each host. A
 * name matches itself and its subdomains, with or without a leading dot. An address or network (CIDR) matches
 * addresses. Entries are separated by commas or spaces, and their case is ignored.
 * @param host a name or an address without brackets
 */
export function bypassesProxy(host: string, noProxy: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) =>
      entry === '*' ? true : isIP(name) ? matchesAddress(name, entry) : matchesName(name, entry),
    );
}

function matchesName(name: string, entry: string): boolean {
  const suffix = entry.replace(/^\./, '').replace(/\.$/, '');
  return suffix !== '' && (name === suffix || name.endsWith(`.${suffix}`));
}

function matchesAddress(address: string, entry: string): boolean {
  const [network = '', bits] = withoutBrackets(entry).split('/');
  const family = isIP(network);
  if (family === 0 || family !== isIP(address)) return false;
  const longest = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : longest + 1;
  if (prefix > longest) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Returns the port in the text. `URL` drops the default port of a protocol, which differs from curl's here. */
function explicitPort(url: string): number | undefined {
  const port = /^[a-z]+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(url)?.[1];
  return port === undefined ? undefined : Number(port);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // a malformed escape sequence; the caller reports the variable
  }
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
