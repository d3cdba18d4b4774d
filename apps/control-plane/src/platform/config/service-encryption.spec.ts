import { isPlaintextDatabase, isPlaintextRedis, readDatabaseUrl } from './service-encryption.js';

const REMOTE = 'postgresql://u:secret@db.example.com:5432/control';
const LOCAL = 'postgresql://u:secret@127.0.0.1:5432/control';

describe('the encryption of PostgreSQL', () => {
  it.each([
    [REMOTE, 'verify-full', false],
    [`${REMOTE}?sslmode=verify-full`, 'verify-full', false],
    [`${REMOTE}?sslmode=verify-ca`, 'verify-ca', false],
    [`${REMOTE}?sslmode=require`, 'require', false],
    [`${REMOTE}?sslmode=prefer`, 'disable', true],
    [`${REMOTE}?sslmode=allow`, 'disable', true],
    [`${REMOTE}?sslmode=disable`, 'disable', true],
    ['postgresql://u@192.0.2.1/control?sslmode=disable', 'disable', true],
    ['postgresql://u@127.0.0.1.evil.example/control?sslmode=disable', 'disable', true],
    [LOCAL, 'disable', false],
    [`${LOCAL}?sslmode=disable`, 'disable', false],
    [`${LOCAL}?sslmode=verify-full`, 'verify-full', false],
    ['postgresql://u@[::1]/control', 'disable', false],
    ['postgresql://u@LOCALHOST/control', 'disable', false],
    ['postgresql://u@%2Fvar%2Frun%2Fpostgresql/control', 'disable', false],
    ['postgresql://u@localhost/control?host=/var/run/postgresql', 'disable', false],
    ['postgresql://u@localhost/control?host=db.example.com', 'verify-full', false],
  ])('for %s is %s', (url, encryption, isPlaintext) => {
    const address = readDatabaseUrl(url);
    expect([address.encryption, isPlaintextDatabase(address)]).toEqual([encryption, isPlaintext]);
    expect(address.url).not.toContain('sslmode');
  });

  it.each([
    [`${REMOTE}?sslmode=no-verify`, 'one of disable, allow, prefer, require, verify-ca, verify-full'],
    [`${REMOTE}?sslmode=verify-full&sslmode=disable`, 'at most one sslmode'],
    [`${REMOTE}?ssl=false`, 'no TLS parameter except sslmode'],
    [`${REMOTE}?sslrootcert=/ca.pem`, 'UNDERSTUDY_CA_FILE'],
    [`${REMOTE}?uselibpqcompat=true&sslmode=require`, 'no TLS parameter except sslmode'],
    ['postgresql:///control', 'must name a host'],
    ['postgresql://u@%zz/control', 'must name a host'],
  ])('is refused for %s', (url, problem) => {
    expect(() => readDatabaseUrl(url)).toThrow(problem);
    expect(() => readDatabaseUrl(url)).not.toThrow('secret');
  });
});

it.each([
  ['redis://127.0.0.1:6379', false],
  ['redis://localhost', false],
  ['redis://[::1]:6379', false],
  ['rediss://redis.example.com', false],
  ['redis://:secret@redis.example.com:6379', true],
  ['redis://127.0.0.1.evil.example', true],
])('Redis at %s is in plaintext for others: %s', (url, isPlaintext) => {
  expect(isPlaintextRedis(url)).toBe(isPlaintext);
});
