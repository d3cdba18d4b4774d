import { isEncryptedAsIn, isLoopback, isPlaintextRemote, sslModeOf } from './encryption.js';

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
    ['LOCALHOST', true],
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

describe('a host that only looks like a loopback address', () => {
  it('is another machine, to which connections are encrypted', () => {
    const host = '127.999.999.999';
    expect(sslModeOf(host, undefined)).toBe('require');
    expect(isPlaintextRemote({ host })).toBe(true);
    expect(isEncryptedAsIn('require', { host })).toBe(false);
  });
});
