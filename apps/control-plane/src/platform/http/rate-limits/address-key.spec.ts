import fc from 'fast-check';

import { addressKey } from './address-key.js';

describe('addressKey', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', 'unknown'],
    ['not an address', 'unknown'],
  ])('maps the address %s to the key %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('returns one key for all addresses of a /64 network, and other keys for other networks', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
        const bits = (address: string) => new URL(`http://[${address}]`).hostname;
        fc.pre(!/\d\.\d/.test(one) && !/\d\.\d/.test(other));
        if (bits(one) === bits(other)) expect(addressKey(one)).toBe(addressKey(other));
        else if (addressKey(one) === addressKey(other)) expect(addressKey(one)).toMatch(/::\/64$/);
      }),
    );
  });

  it('returns the same key for every notation of an IPv6 address', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
        const long = groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
        const short = new URL(`http://[${long}]`).hostname.slice(1, -1);
        expect(addressKey(short)).toBe(addressKey(long));
        expect(addressKey(long)).toBe(
          `${groups
            .slice(0, 4)
            .map((group) => group.toString(16))
            .join(':')}::/64`,
        );
      }),
    );
  });
});
