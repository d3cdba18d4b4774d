import { checkNatsAddresses } from './nats-address.js';

it.each([
  [['tls://nats.example.com:4222'], true],
  [['nats://127.0.0.1:4222'], true],
  [['nats://localhost:4222'], true],
  [['nats://[::1]:4222'], true],
  [['nats://nats.example.com:4222'], false],
  [['nats://10.0.0.1:4222'], false],
  [['nats://127.0.0.1.evil.example:4222'], false],
  [['tls://a:4222', 'nats://b:4222'], false],
  [['ws://127.0.0.1:4222'], false],
  [['127.0.0.1:4222'], false],
  [['nats://u:p@127.0.0.1:4222'], false],
  [[], false],
])('dialling %j is allowed: %s', (urls, allowed) => {
  const check = () => checkNatsAddresses(urls);
  if (allowed) expect(check).not.toThrow();
  else expect(check).toThrow('NATS cannot be dialled');
});
