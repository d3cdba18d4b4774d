import { isIP } from 'node:net';

import type { AddressGuard } from './address-guard.js';

export const MAX_URL_LENGTH = 2_048;

const LOOPBACK = ['127.0.0.1', '::1'] as const;

/**
 * Checks a receiver's URL without a DNS look-up. The check uses the parsed URL, in which numbers, escapes and
 * international letters are normalised (WHATWG URL). For example, the host of `http://0x7f.1` is 127.0.0.1.
 * @returns the problem without any part of the URL, or undefined
 */
export function receiverUrlProblem(text: string, allows: AddressGuard): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `expected at most ${MAX_URL_LENGTH} characters`;
  // The parser would drop tabs and line breaks and trim spaces, so the displayed URL would differ from the
  // used one.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return EXPECTED;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return EXPECTED;
  if (url.username !== '' || url.password !== '') return 'expected a URL without user and password';
  if (url.hash !== '' || text.includes('#')) return 'expected a URL without fragment';
  if (url.port !== '' && BLOCKED_PORTS.has(Number(url.port)))
    return 'expected a port for HTTP, got 0 or a port of another protocol';
  const addresses = knownAddresses(hostOf(url));
  if (addresses?.some(allows) === false) return 'expected a host with a public address';
  return undefined;
}

const EXPECTED = 'expected an http:// or https:// URL';

/** Returns the host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Returns the addresses of a host that needs no look-up: an IP address, or a name that always means loopback
 * (RFC 6761, section 6.3). Returns undefined for any other name.
 */
export function knownAddresses(host: string): readonly string[] | undefined {
  if (isIP(host) !== 0) return [host];
  return /(^|\.)localhost\.?$/i.test(host) ? LOOPBACK : undefined;
}

/**
 * The "bad ports" of the Fetch standard, including 0, whose services could misread an HTTP request as their own protocol.
 */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  ...[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104,
  ],
  ...[
    109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  ],
  ...[526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049],
  ...[3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);
