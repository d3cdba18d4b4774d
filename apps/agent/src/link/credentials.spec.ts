import { isRenewalDue, checkNatsAddresses } from './credentials.js';

const lifetime = { issuedAt: new Date(0), expiresAt: new Date(900_000) };

it.each([
  [449_999, false],
  [450_000, true],
  [2_000_000, true],
])('a renewal is due after %i ms of a lifetime of 900,000 ms: %s', (now, due) => {
  expect(isRenewalDue(lifetime, { now: new Date(now) })).toBe(due);
});

it.each([
  [['tls://nats.example.com:4222'], true],
  [['tls://nats.example.com'], true],
  [['wss://nats.example.com'], true],
  [['wss://nats.example.com/nats'], true],
  [['nats://127.0.0.1:4222'], true],
  [['nats://localhost:4222'], true],
  [['nats://[::1]:4222'], true],
  [['nats://nats.example.com:4222'], false],
  [['nats://10.0.0.1:4222'], false],
  [['nats://127.0.0.1.evil.example:4222'], false],
  [['tls://a:4222', 'nats://b:4222'], false],
  [['ws://127.0.0.1:4222'], false],
  [['ws://nats.example.com/nats'], false],
  [['wss://u:p@nats.example.com'], false],
  [['wss://nats.example.com/#part'], false],
  [['127.0.0.1:4222'], false],
  [['nats://u:p@127.0.0.1:4222'], false],
  [[], false],
])('the addresses %j are allowed: %s', (urls, allowed) => {
  const check = () => checkNatsAddresses(urls);
  if (allowed) expect(check).not.toThrow();
  else expect(check).toThrow('The agent cannot connect to NATS');
});
