import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { NatsConnection } from '@nats-io/nats-core';
import { trustedUser } from '@understudy/nats-trust';
import { TestAuthority, TestNats } from '@understudy/testing';

import { connectNats, Outbound } from '../../src/index.js';

let authority: TestAuthority;
let nats: TestNats;
let folder: string;
let caFile: string;
const open: NatsConnection[] = [];

beforeAll(async () => {
  authority = await TestAuthority.create('Acme root');
  nats = await TestNats.start({ certificate: await authority.issue(['localhost', '127.0.0.1']) });
  folder = mkdtempSync(join(tmpdir(), 'outbound-'));
  caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.ca);
});
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});
afterAll(async () => {
  await nats.remove();
  rmSync(folder, { recursive: true });
});

describe('a connection to NATS', () => {
  it.each([
    ['TLS to a name', () => `tls://localhost:${nats.port}`],
    ['TLS to an address', () => `tls://127.0.0.1:${nats.port}`],
    ['WebSocket to a name, with a path', () => `wss://localhost:${nats.webSocketPort}/nats`],
    ['WebSocket to an address', () => `wss://127.0.0.1:${nats.webSocketPort}`],
  ])('carries messages over %s', async (_, url) => {
    const connection = await connect(new Outbound({ caFile }), url());
    const messages = connection.subscribe('greetings', { max: 1 });
    connection.publish('greetings', 'hello');
    for await (const message of messages) expect(message.string()).toBe('hello');
  });
});

async function connect(outbound: Outbound, url: string): Promise<NatsConnection> {
  const authenticator = await trustedUser('test', nats.seeds.account);
  const connection = await connectNats(outbound, {
    urls: [url],
    name: 'test',
    authenticator,
    onFailure: console.error,
  });
  open.push(connection);
  return connection;
}
