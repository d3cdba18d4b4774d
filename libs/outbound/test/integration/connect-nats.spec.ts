import dns from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { NatsConnection } from '@nats-io/nats-core';
import { trustedUser } from '@understudy/agent-protocol/nats-trust';
import { TestAuthority, TestNats, TestProxy, waitFor } from '@understudy/testing';

import { connectNats, type NatsOptions, Outbound, readOutboundSettings } from '../../src/index.js';

let authority: TestAuthority;
let nats: TestNats;
let folder: string;
let caFile: string;
const open: NatsConnection[] = [];

beforeAll(async () => {
  authority = await TestAuthority.create('Acme root');
  nats = await TestNats.start({
    certificate: await authority.issue(['localhost', '127.0.0.1', 'nats.test']),
  });
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
    await exchange(await connect(new Outbound({ caFile }), url()));
  });

  it.each([
    'ws://127.0.0.1:4222',
    'nats://nats.example.com:4222',
    'tls://user:password@nats.example.com',
    'https://nats.example.com',
  ])('is refused at %s', async (url) => {
    await expect(connect(new Outbound({ caFile }), url)).rejects.toThrow('a NATS address must be a URL');
  });

  it.each([
    ['TLS', () => `tls://localhost:${nats.port}`],
    ['WebSocket', () => `wss://localhost:${nats.webSocketPort}`],
  ])('trusts a CA file that changes while it tries to connect over %s', async (_, url) => {
    const changing = join(folder, 'changing.pem');
    writeFileSync(changing, (await TestAuthority.create('Other root')).ca);
    const failures: string[] = [];
    const connection = await connect(new Outbound({ caFile: changing }), url(), {
      onFailure: ({ message }) => {
        failures.push(message);
        writeFileSync(changing, `${authority.ca}\n`);
      },
    });
    expect(failures[0]).toMatch(/certificate/);
    await exchange(connection);
  });

  it('keeps the certificates of a CA file that becomes unusable, and reports this once', async () => {
    const damaged = join(folder, 'damaged.pem');
    writeFileSync(damaged, authority.ca);
    const problems: string[] = [];
    const outbound = new Outbound({ caFile: damaged }, (problem) => problems.push(problem));
    await connect(outbound, `tls://localhost:${nats.port}`);
    writeFileSync(damaged, '');
    await connect(outbound, `tls://localhost:${nats.port}`);
    await connect(outbound, `tls://localhost:${nats.port}`);
    expect(problems).toEqual([
      expect.stringMatching(/no certificate; the earlier certificates stay trusted$/),
    ]);
  });

  it('stops trying when its signal aborts', async () => {
    const stop = new AbortController();
    const failures: Error[] = [];
    const connecting = connect(new Outbound(), `tls://localhost:${nats.port}`, {
      signal: stop.signal,
      onFailure: (error) => {
        failures.push(error);
        if (failures.length === 2) stop.abort();
      },
    });
    await expect(connecting).rejects.toThrow('abort');
    expect(failures).toHaveLength(2);
  });

  it('resolves the name again at each reconnect', async () => {
    const lookups = jest.spyOn(dns, 'lookup');
    const connection = await connect(new Outbound({ caFile }), `tls://localhost:${nats.port}`);
    const before = lookups.mock.calls.length;
    expect(before).toBeGreaterThan(0);
    const reconnected = nextReconnect(connection);
    await connection.reconnect();
    await reconnected;
    expect(lookups.mock.calls.length).toBe(2 * before);
    lookups.mockRestore();
    await exchange(connection);
  });
});

describe('a connection through a proxy', () => {
  let proxy: TestProxy;
  beforeEach(async () => {
    proxy = await TestProxy.start({ credentials: 'us:p@ss' });
  });
  afterEach(() => proxy.stop());

  const through = (noProxy = '') =>
    new Outbound({
      ...readOutboundSettings(
        { HTTPS_PROXY: `http://us:p%40ss@localhost:${proxy.port}`, NO_PROXY: noProxy },
        [],
      ),
      caFile,
    });

  it('carries messages over WebSocket to a name that only the proxy can resolve', async () => {
    await exchange(await connect(through(), `wss://nats.test:${nats.webSocketPort}/nats`));
    expect(proxy.requests).toEqual([`nats.test:${nats.webSocketPort}`]);
  });

  it('is opened again after the proxy has cut it', async () => {
    const connection = await connect(through(), `wss://nats.test:${nats.webSocketPort}/nats`);
    const reconnected = nextReconnect(connection);
    proxy.disconnect();
    await reconnected;
    await exchange(connection);
    expect(proxy.requests).toHaveLength(2);
  });

  it('is not used for TLS without WebSocket, and not for hosts in NO_PROXY', async () => {
    await connect(through(), `tls://localhost:${nats.port}`);
    await connect(through('localhost'), `wss://localhost:${nats.webSocketPort}`);
    expect(proxy.requests).toEqual([]);
  });
});

it('reports a lost connection once, and its return once, although many attempts fail', async () => {
  const connection = await connect(new Outbound({ caFile }), `wss://localhost:${nats.webSocketPort}`);
  const seen: string[] = [];
  let attempts = 0;
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'reconnect') seen.push(type);
      if (type === 'reconnecting') attempts += 1;
    }
  })();
  await nats.stop();
  await waitFor('three attempts', async () => attempts >= 3);
  await nats.restart();
  await waitFor('the return', async () => seen.includes('reconnect'));
  expect(seen).toEqual(['disconnect', 'reconnect']);
  await exchange(connection);
});

async function connect(
  outbound: Outbound,
  url: string,
  options: Partial<NatsOptions> = {},
): Promise<NatsConnection> {
  const authenticator = await trustedUser('test', nats.seeds.account);
  const connection = await connectNats(outbound, { urls: [url], name: 'test', authenticator, ...options });
  open.push(connection);
  return connection;
}

async function exchange(connection: NatsConnection): Promise<void> {
  const messages = connection.subscribe('greetings', { max: 1 });
  connection.publish('greetings', 'hello');
  for await (const message of messages) expect(message.string()).toBe('hello');
}

async function nextReconnect(connection: NatsConnection): Promise<void> {
  for await (const { type } of connection.status()) if (type === 'reconnect') return;
}
