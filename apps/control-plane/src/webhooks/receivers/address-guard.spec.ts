import { addressGuard } from './address-guard.js';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '169.253.255.255',
  '192.167.255.255',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00:1450:4001:80b::200e',
  '::ffff:8.8.8.8',
];

const SPECIAL = [
  // this network, private, loopback, link-local (metadata), shared (CGNAT)
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  ...['127.0.0.1', '127.0.0.53', '127.255.255.255', '169.254.169.254', '169.254.0.1', '169.254.170.2'],
  ...['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  // protocol assignments, documentation, 6to4 relay, benchmarking, multicast, reserved, broadcast
  ...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '192.52.193.1'],
  // used inside a provider's machines
  '168.63.129.16',
  // IPv6: unspecified, loopback, link-local, unique local (metadata), site-local, multicast, discard
  ...['::', '::1', 'fe80::1', 'febf::1', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '100::1'],
  // an embedded IPv4 address: compatible, mapped, translated, NAT64 (also with a local prefix), 6to4, Teredo
  ...[
    '::127.0.0.1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
  ],
  ...[
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::10.0.0.1',
  ],
  ...['2002:7f00:1::', '2002:0a00:0001::1', '2001::1', '2001:0:7f00:1::'],
  // documentation, benchmarking, ORCHID, segment routing, unallocated
  ...[
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '5f00::1',
    '4000::1',
    'e000::1',
    '1::1',
  ],
];

describe('addressGuard', () => {
  const allows = addressGuard([]);

  it.each(PUBLIC)('accepts the public address %s', (address) => {
    expect(allows(address)).toBe(true);
  });

  it.each(SPECIAL)('refuses the special address %s', (address) => {
    expect(allows(address)).toBe(false);
  });

  it.each(['', 'localhost', '127.0.0.1:80', '[::1]', 'fe80::1%eth0', '1.2.3.4.5', '8.8.8.8 '])(
    'refuses %j, which is not an address',
    (text) => {
      expect(allows(text)).toBe(false);
    },
  );

  it('accepts the addresses that the operator allows, and no others', () => {
    const local = addressGuard(['127.0.0.0/8', '::1', 'fd12::/16', '10.1.2.3']);
    for (const address of [
      '127.0.0.1',
      '127.9.9.9',
      '::ffff:127.0.0.1',
      '::1',
      'fd12:3::4',
      '10.1.2.3',
      '8.8.8.8',
    ])
      expect([address, local(address)]).toEqual([address, true]);
    for (const address of [
      '10.1.2.4',
      '169.254.169.254',
      'fd13::1',
      '::2',
      '::127.0.0.1',
      '64:ff9b::127.0.0.1',
    ])
      expect([address, local(address)]).toEqual([address, false]);
  });
});
