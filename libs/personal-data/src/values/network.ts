export function isIpv4(text: string): boolean {
  const [, ...octets] = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/32|:\d{1,5})?$/.exec(text) ?? [];
  return (
    octets.length === 4 &&
    octets.every((octet) => Number(octet) <= 255 && (octet === '0' || !octet.startsWith('0')))
  );
}

export function isIpv6(text: string): boolean {
  return (
    /^(?=.*:.*:)[0-9a-f:]{3,39}(?:%\w+)?(?:\/128)?$/i.test(text) &&
    (text.includes('::') || text.split(':').length === 8) &&
    !isMac(text)
  );
}

export function isIp(text: string): boolean {
  return isIpv4(text) || isIpv6(text);
}

/** Tests for an IP address or a network, as in `fe80::/64`. */
export function isNetwork(text: string): boolean {
  return isIp(text.replace(/\/\d{1,3}$/, ''));
}

/**
 * Tests for an IP address that is unlikely to be a version number: an IPv6 address, or an IPv4 address with a
 * number above 60.
 */
export function isHardlyVersion(text: string): boolean {
  return isIpv6(text) || (isIpv4(text) && text.split('.').some((octet) => Number.parseInt(octet, 10) > 60));
}

export function isMac(text: string): boolean {
  return /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$/i.test(
    text,
  );
}

/** Tests for coordinates with at least three decimals, such as `52.520, 13.405` or `POINT(13.405 52.520)`. */
export function isCoordinatePair(text: string): boolean {
  const [, , a = '', b = ''] =
    /^(\(|POINT ?\()?\s*(-?\d{1,3}\.\d{3,})\s*[, ]\s*(-?\d{1,3}\.\d{3,})\s*\)?$/i.exec(text) ?? [];
  return a !== '' && Math.abs(Number(a)) <= 180 && Math.abs(Number(b)) <= 180;
}

/** Tests for a longitude or latitude. */
export function isDegree(text: string): boolean {
  return /^-?\d{1,3}(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= 180;
}
