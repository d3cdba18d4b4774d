import { isIPv4, isIPv6 } from 'node:net';

/**
 * What an address counts as: an IPv4 address itself, of IPv6 the first 64 bits, because one subscriber has that many
 * addresses. The text is the same for all spellings of an address.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%', 1); // a zone is this machine's affair
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
