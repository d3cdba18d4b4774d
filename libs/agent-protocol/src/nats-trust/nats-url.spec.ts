import { isAcceptedNatsUrl, isLoopback } from './nats-url.js';

describe('a loopback host', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.255.255.254', true],
    ['::1', true],
    ['[::1]', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    ['[::ffff:7f00:1]', true],
    ['localhost', true],
    ['127.999.999.999', false],
    ['127.0.0.256', false],
    ['127.00.0.01', false],
    ['127.1', false],
    ['0x7f.1', false],
    ['2130706433', false],
    ['[127.0.0.1]', false],
    ['[localhost]', false],
    ['localhost.', false],
    ['localhost.example', false],
    ['127.0.0.1.example', false],
    ['127.0.0.1 ', false],
    ['::ffff:10.0.0.1', false],
    ['::2', false],
    ['0.0.0.0', false],
    ['', false],
  ])('is %j: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});

describe('a plaintext NATS address', () => {
  it.each([
    ['nats://127.0.0.1:4222', true],
    ['nats://LOCALHOST:4222', true],
    ['nats://[::1]:4222', true],
    ['nats://127.999.999.999:4222', false],
    ['nats://127.1:4222', false],
  ])('%s is accepted: %s', (url, expected) => {
    expect(isAcceptedNatsUrl(url)).toBe(expected);
  });
});

describe('an encrypted NATS address', () => {
  it.each([
    ['tls://nats.example.com:4222', true],
    ['tls://nats.example.com:4222/', true],
    ['wss://nats.example.com/nats?cluster=a', true],
    ['tls://', false],
    ['tls://nats.example.com/nats', false],
    ['tls://nats.example.com?cluster=a', false],
    ['tls://user@nats.example.com', false],
    ['tls://:secret@nats.example.com', false],
    ['tls://nats.example.com#a', false],
    ['wss://user@nats.example.com', false],
    ['wss://:secret@nats.example.com', false],
    ['wss://nats.example.com/#a', false],
  ])('%s is accepted: %s', (url, expected) => {
    expect(isAcceptedNatsUrl(url)).toBe(expected);
  });
});
