import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the key under which requests of an address are counted. For IPv4 it is the address. For IPv6 it is
 * the first 64 bits, because one subscriber can use all addresses of a /64 network. All notations of an
 * address have the same key.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%', 1); // a zone id has a meaning on this machine only
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return 'unknown';
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
