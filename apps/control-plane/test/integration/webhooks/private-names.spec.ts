import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describeUnless, NetworkNamespace } from '@understudy/testing';

type DnsRecord = readonly [owner: string, type: 'A' | 'AAAA' | 'CNAME', value: string];
interface Output {
  readonly receipts: readonly (readonly [name: string, result: string | number])[];
  readonly received: readonly string[];
  readonly queries: Readonly<Record<string, number>>;
}

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = fileOf('send-by-dns.mjs');
const MODULES = fileOf('../../../dist/webhooks');

/** Addresses of the network that the test makes. The receiver would respond at each of them. */
const PUBLIC = '8.8.4.4';
const PRIVATE = '10.0.0.5';
const METADATA = '169.254.169.254';

describeUnless(NetworkNamespace.whyNotPossible())('a webhook whose host name has private addresses', () => {
  let namespace: NetworkNamespace;
  beforeAll(() => {
    namespace = NetworkNamespace.create('dns');
    writeFileSync(`/etc/netns/${namespace.name}/resolv.conf`, 'nameserver 127.0.0.1\n');
    for (const address of [PUBLIC, PRIVATE, METADATA])
      namespace.run('ip', 'address', 'add', `${address}/32`, 'dev', 'lo');
  });
  afterAll(() => namespace?.remove());

  /** @param answers for each name, the records of each response of the name server */
  function send(answers: Record<string, DnsRecord[][]>, names = Object.keys(answers)): Output {
    const args = [MODULES, JSON.stringify(answers), JSON.stringify(names)];
    return JSON.parse(namespace.run(process.execPath, PROGRAM, ...args)) as Output;
  }

  it('is refused for each form of a private address, and nothing is connected', () => {
    const forms = {
      'a.test.example': ['A', PRIVATE],
      'loopback.test.example': ['A', '127.0.0.1'],
      'metadata.test.example': ['A', METADATA],
      'zero.test.example': ['A', '0.0.0.0'],
      'aaaa.test.example': ['AAAA', 'fd00:0:0:0:0:0:0:5'],
      'local.test.example': ['AAAA', 'fe80:0:0:0:0:0:0:5'],
      'one.test.example': ['AAAA', '0:0:0:0:0:0:0:1'],
      'mapped.test.example': ['AAAA', '0:0:0:0:0:ffff:a00:5'],
      'compatible.test.example': ['AAAA', '0:0:0:0:0:0:a00:5'],
      'nat64.test.example': ['AAAA', '64:ff9b:0:0:0:0:a00:5'],
    } as const;
    const answers = Object.fromEntries(
      Object.entries(forms).map(([name, [type, value]]) => [name, [[[name, type, value] as DnsRecord]]]),
    );
    const { receipts, received } = send(answers);
    expect(receipts).toEqual(Object.keys(forms).map((name) => [name, 'address_refused']));
    expect(received).toEqual([]);
  });

  it('uses only the public ones of several addresses', () => {
    const name = 'mixed.test.example';
    const records = [PRIVATE, PUBLIC, METADATA].map((address): DnsRecord => [name, 'A', address]);
    const { receipts, received } = send({ [name]: [[...records, [name, 'AAAA', 'fd00:0:0:0:0:0:0:5']]] });
    expect(receipts).toEqual([[name, 200]]);
    expect(received).toEqual([`${name} at ${PUBLIC}`]);
  });

  it('resolves a name once for each request, so that a later change of its addresses has no effect', () => {
    const name = 'rebinding.test.example';
    const { receipts, received, queries } = send(
      { [name]: [[[name, 'A', PUBLIC]], [[name, 'A', PRIVATE]]] },
      [name, name],
    );
    expect(receipts).toEqual([
      [name, 200],
      [name, 'address_refused'],
    ]);
    expect(received).toEqual([`${name} at ${PUBLIC}`]);
    expect(queries).toEqual({ [`${name} 1`]: 2, [`${name} 28`]: 2 });
  });

  it('is refused if a chain of aliases ends at a private address', () => {
    const chain = (end: string, value: string): DnsRecord[] => [
      [`${end}.test.example`, 'CNAME', `next.${end}.test.example`],
      [`next.${end}.test.example`, 'CNAME', `last.${end}.test.example`],
      [`last.${end}.test.example`, 'A', value],
    ];
    const { receipts, received } = send({
      'inside.test.example': [chain('inside', PRIVATE)],
      'outside.test.example': [chain('outside', PUBLIC)],
    });
    expect(receipts).toEqual([
      ['inside.test.example', 'address_refused'],
      ['outside.test.example', 200],
    ]);
    expect(received).toEqual([`outside.test.example at ${PUBLIC}`]);
  });

  it('does not resolve names of the hosts file', () => {
    namespace.setHosts({ 'intranet.test.example': PRIVATE });
    const { receipts, received } = send({}, ['intranet.test.example']);
    expect(receipts).toEqual([['intranet.test.example', 'dns_failed']]);
    expect(received).toEqual([]);
  });
});
