import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';

import { Logger } from '@nestjs/common';
import { TestAuthority, waitFor, type TestCertificate } from '@understudy/testing';

import { createLimitedServer } from '../../../src/platform/http/server/create-server.js';

let authority: TestAuthority;
let folder: string;
let server: Server;
let logged: string[];
const open: TLSSocket[] = [];

const path = (name: 'cert' | 'key') => join(folder, `${name}.pem`);
const write = ({ cert, key }: TestCertificate) => {
  writeFileSync(path('cert'), cert);
  writeFileSync(path('key'), key);
};

beforeAll(async () => {
  authority = await TestAuthority.create();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'understudy-https-'));
  logged = [];
  for (const level of ['log', 'warn', 'error'] as const)
    jest
      .spyOn(Logger.prototype, level)
      .mockImplementation((...[text]: unknown[]) => void logged.push(`${level}: ${String(text)}`));
});
afterEach(async () => {
  open.splice(0).forEach((socket) => socket.destroy());
  server.close();
  await once(server, 'close');
  rmSync(folder, { recursive: true });
  jest.restoreAllMocks();
});

async function start(certificate: TestCertificate): Promise<void> {
  write(certificate);
  server = createLimitedServer(
    (_, response) => response.end('served'),
    () => false,
    () => {
      throw new Error('expected no request to be counted');
    },
    {
      requestTimeoutMs: 60_000,
      publicUrl: 'https://api.test',
      maxConnections: 100,
      maxConnectionsPerAddress: 100,
      trustedProxies: [],
      certificate: { certFile: path('cert'), keyFile: path('key'), checkMs: 20 },
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

const port = () => (server.address() as AddressInfo).port;

async function dial(options: { maxVersion?: 'TLSv1.1'; minVersion?: 'TLSv1' } = {}): Promise<TLSSocket> {
  const socket = connect({
    port: port(),
    host: '127.0.0.1',
    ca: authority.ca,
    servername: 'api.test',
    ...options,
  });
  open.push(socket);
  await once(socket, 'secureConnect');
  return socket;
}

async function get(socket: TLSSocket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nhost: api.test\r\n\r\n');
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString();
}

async function servesNew(before: string): Promise<string> {
  return waitFor('the new certificate', async () => {
    const { serialNumber } = (await dial()).getPeerCertificate();
    return serialNumber !== before && serialNumber;
  });
}

const issue = (days?: { fromDays?: number; toDays?: number }) => authority.issue(['api.test'], days);

it('serves requests over TLS 1.2 and newer only', async () => {
  await start(await issue());
  expect(await get(await dial())).toContain('served');
  await expect(dial({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).rejects.toMatchObject({
    code: expect.stringMatching(/SSL|TLS|ECONNRESET/),
  });
});

it('closes a plaintext connection without a response', async () => {
  await start(await issue());
  const socket = connectTcp(port(), '127.0.0.1');
  let received = '';
  socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
  socket.on('error', () => undefined); // a reset is as good as an end
  socket.write('GET / HTTP/1.1\r\nhost: api.test\r\n\r\n');
  await once(socket, 'close');
  expect(received).not.toContain('HTTP/');
});

it('uses a new certificate for new connections, and keeps open connections', async () => {
  await start(await issue());
  const before = await dial();
  const old = before.getPeerCertificate().serialNumber;
  write(await issue());
  await servesNew(old);
  expect(await get(before)).toContain('served');
  expect(logged).toEqual([expect.stringContaining('log: uses the new certificate')]);
});

it.each([
  ['damaged', async () => ({ cert: 'x', key: 'x' }), 'must contain a certificate in PEM'],
  [
    'of two different pairs',
    async () => ({ ...(await issue()), key: (await issue()).key }),
    'does not contain the key of the first certificate',
  ],
])('keeps the old certificate if the new files are %s, and logs it once', async (_, make, problem) => {
  await start(await issue());
  const old = (await dial()).getPeerCertificate().serialNumber;
  write(await make());
  await waitFor('the log line', async () => logged.length > 0);
  expect((await dial()).getPeerCertificate().serialNumber).toBe(old);
  write(await issue());
  await servesNew(old);
  expect(logged).toEqual([
    expect.stringMatching(new RegExp(`^error: .*${problem}.*keeps the old certificate`)),
    expect.stringContaining('log: uses the new certificate'),
  ]);
});

it('warns if the certificate has expired', async () => {
  await start(await issue({ fromDays: -3, toDays: -1 }));
  expect(logged).toEqual([expect.stringMatching(/^warn: .*UNDERSTUDY_TLS_CERT_FILE expired at /)]);
});
