import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TestAuthority, TestProxy } from '@understudy/testing';

import { Outbound, readOutboundSettings } from '../../src/index.js';

let folder: string;
let caFile: string;
let server: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  const authority = await TestAuthority.create('Acme root');
  folder = mkdtempSync(join(tmpdir(), 'outbound-fetch-'));
  caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.ca);
  server = createServer(await authority.issue(['localhost', 'control.test']), (request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: 'https://elsewhere.test/' });
    if (request.url === '/none') response.writeHead(204);
    if (request.url === '/silent') return;
    if (request.url === '/large') response.write('x'.repeat(3_000_000));
    request.pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  server.on('secureConnection', () => (connections += 1));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  rmSync(folder, { recursive: true });
});

const outbound = () => new Outbound({ caFile });

describe('a request', () => {
  it('uses a connection of its own, so a dead connection cannot make a later request fail', async () => {
    connections = 0;
    for (const body of ['one', 'two']) {
      const response = await outbound().fetch(`https://localhost:${port}/`, { method: 'POST', body });
      await expect(response.text()).resolves.toBe(body);
    }
    expect(connections).toBe(2);
  });

  it('returns a redirect and does not follow it', async () => {
    const response = await outbound().fetch(`https://localhost:${port}/moved`);
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://elsewhere.test/']);
  });

  it('returns a response without a body', async () => {
    expect((await outbound().fetch(`https://localhost:${port}/none`)).status).toBe(204);
  });

  it('refuses a body that is larger than its limit', async () => {
    const response = await outbound().fetch(`https://localhost:${port}/large`);
    await expect(response.text()).rejects.toThrow('the response has more than 1048576 bytes');
  });

  it('ends when its signal aborts', async () => {
    const response = outbound().fetch(`https://localhost:${port}/silent`, {
      signal: AbortSignal.timeout(50),
    });
    await expect(response).rejects.toThrow();
  });

  it('fails if the authority of the server is not trusted', async () => {
    await expect(new Outbound().fetch(`https://localhost:${port}/`)).rejects.toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
  });

  it('fails if the certificate is for another name', async () => {
    await expect(outbound().fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });
});

describe('a request through a proxy', () => {
  const through = (proxy: TestProxy) =>
    new Outbound({ ...readOutboundSettings({ https_proxy: `http://localhost:${proxy.port}` }, []), caFile });

  it('reaches a name that only the proxy can resolve', async () => {
    const proxy = await TestProxy.start();
    const response = await through(proxy).fetch(`https://control.test:${port}/`, {
      method: 'POST',
      body: 'hello',
    });
    await expect(response.text()).resolves.toBe('hello');
    expect(proxy.requests).toEqual([`control.test:${port}`]);
    await proxy.stop();
  });

  it('does not take a refusal of the proxy for a response of the server', async () => {
    const proxy = await TestProxy.start({ status: 403 });
    await expect(through(proxy).fetch(`https://control.test:${port}/`)).rejects.toMatchObject({
      name: 'ProxyError',
      status: 403,
    });
    await proxy.stop();
  });
});
