import type { Packet } from './packets.js';
import { findPlaintext } from './plaintext.js';

const CLIENT = '10.0.0.2:40000';
const record = (type: number, content: string) =>
  Buffer.concat([Buffer.from([type, 3, 3, 0, content.length]), Buffer.from(content)]);
const HELLO = record(0x16, 'hello');
const DATA = record(0x17, 'sealed');
const RULES = [{ port: 443 }, { port: 4222, received: /^INFO [^\r]*\r\n/ }];

/** Returns a connection whose client and server send these bytes. */
function connection(port: number, sent: Buffer, received = Buffer.alloc(0), sequence = 100): Packet[] {
  const server = `10.0.0.1:${port}`;
  const packet = (from: string, to: string, at: number, payload: Buffer, isSyn = false): Packet => ({
    ...{ protocol: 'tcp', from, to, sequence: at, isSyn, isAck: from === server, payload },
  });
  const none = Buffer.alloc(0);
  return [
    packet(CLIENT, server, sequence, none, true),
    packet(server, CLIENT, 900, none, true),
    packet(CLIENT, server, sequence + 1, sent),
    packet(server, CLIENT, 901, received),
  ];
}

describe('the search for plain text in a capture', () => {
  it('accepts TLS, and the INFO line of NATS before it', () => {
    const tls = Buffer.concat([HELLO, DATA, DATA]);
    const nats = Buffer.concat([Buffer.from('INFO {"tls_required":true}\r\n'), HELLO, DATA]);
    expect(findPlaintext([...connection(443, tls, tls), ...connection(4222, tls, nats)], RULES)).toEqual([]);
  });

  it('accepts a last record that was cut', () => {
    expect(findPlaintext(connection(443, Buffer.concat([HELLO, DATA.subarray(0, 7)])), RULES)).toEqual([]);
    expect(findPlaintext(connection(443, Buffer.concat([HELLO, DATA.subarray(0, 3)])), RULES)).toEqual([]);
  });

  it.each([
    ['a request without TLS', connection(443, Buffer.from('GET / HTTP/1.1\r\n\r\n'))],
    ['text after TLS', connection(443, Buffer.concat([HELLO, DATA, Buffer.from('a row')]))],
    [
      'text between repeated packets',
      [
        ...connection(443, HELLO),
        ...connection(443, HELLO),
        ...connection(443, Buffer.from('a row'), Buffer.alloc(0), 100 + HELLO.length).slice(2, 3),
      ],
    ],
    ['CONNECT of a NATS client before TLS', connection(4222, Buffer.from('CONNECT {"jwt":"x"}\r\n'))],
    ['INFO on another port', connection(443, HELLO, Buffer.from('INFO {}\r\n'))],
    ['application data without a handshake', connection(443, DATA)],
    ['another port', connection(8080, HELLO)],
  ])('reports %s', (_what, packets) => {
    expect(findPlaintext(packets, RULES)).toHaveLength(1);
  });

  it('reports a datagram that is not DNS, and accepts DNS', () => {
    const datagram = (port: number): Packet => ({
      ...{ protocol: 'udp', from: CLIENT, to: `10.0.0.1:${port}`, sequence: 0, isSyn: false, isAck: false },
      payload: Buffer.from('x'),
    });
    expect(findPlaintext([datagram(53)], RULES)).toEqual([]);
    expect(findPlaintext([datagram(123)], RULES)).toHaveLength(1);
  });
});
