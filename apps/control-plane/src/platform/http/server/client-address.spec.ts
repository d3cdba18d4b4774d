import { clientAddressBehind } from './client-address.js';

const addressOf = clientAddressBehind(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
const of = (remoteAddress: string, forwarded?: string) =>
  addressOf({ remoteAddress }, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });

describe('clientAddressBehind', () => {
  it('returns the address of the connection, unless a trusted proxy forwards for another one', () => {
    expect(of('203.0.113.5')).toBe('203.0.113.5');
    expect(of('203.0.113.5', '198.51.100.1')).toBe('203.0.113.5');
    expect(of('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1');
    expect(of('2001:db8::1', '198.51.100.1')).toBe('198.51.100.1');
  });

  it('returns the last address of the chain that is not a trusted proxy', () => {
    expect(of('10.1.2.3', '198.51.100.1, 203.0.113.9, 192.0.2.7')).toBe('203.0.113.9');
    expect(of('::ffff:10.1.2.3', '198.51.100.1')).toBe('198.51.100.1');
  });

  it('returns the first address of a chain of trusted proxies, even if it is not a valid address', () => {
    expect(of('10.1.2.3', '10.0.0.1, 10.0.0.2')).toBe('10.0.0.1');
    expect(of('10.1.2.3')).toBe('10.1.2.3');
    expect(of('10.1.2.3', 'unknown')).toBe('unknown');
    expect(of('')).toBe('');
  });
});
