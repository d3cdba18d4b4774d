import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Logger } from '@nestjs/common';
import { Outbound } from '@understudy/outbound';
import { TestAuthority, TestNats, waitFor } from '@understudy/testing';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { Configuration } from '../../../src/platform/config/configuration.js';

// Uses a real nats-server with TLS and WebSocket.
let folder: string;
let authority: TestAuthority;
let nats: TestNats;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'control-plane-tls-'));
  authority = await TestAuthority.create('Acme root');
  writeFileSync(join(folder, 'ca.pem'), authority.ca);
  nats = await TestNats.start({ certificate: await authority.issue(['localhost']) });
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await nats.remove();
  rmSync(folder, { recursive: true });
});

function linkTo(url: string, seeds = nats.seeds): AgentLinkService {
  const configuration = new Configuration({
    http: { host: '127.0.0.1', port: 0, publicUrl: 'http://127.0.0.1' },
    database: { url: '' },
    redis: { url: '' },
    nats: {
      url,
      publicUrl: url,
      operatorSeed: seeds.operator,
      accountSeed: seeds.account,
      agentAccountSeed: seeds.agentAccount,
      systemAccountSeed: seeds.systemAccount,
    },
    ops: { user: 'ops', password: 'not used in this test' },
    logLevel: 'silent',
  });
  return new AgentLinkService(configuration, new Outbound({ caFile: join(folder, 'ca.pem') }));
}

it.each([
  ['TLS', () => `tls://localhost:${nats.port}`],
  ['WebSocket', () => `wss://localhost:${nats.webSocketPort}/nats`],
])('names the fault of the certificate at the first connect and after a loss, over %s', async (_, url) => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  await nats.restart(await authority.issue(['other.test']));
  const link = linkTo(url());
  const started = link.start();
  await waitFor('the reason', async () => link.fault?.includes('is not for localhost, but for other.test'));
  await nats.restart(await authority.issue(['localhost']));
  await started;
  expect([link.isConnected(), link.fault]).toEqual([true, undefined]);
  await nats.restart(await (await TestAuthority.create('Other root')).issue(['localhost']));
  await waitFor('the reason', async () =>
    link.fault?.includes('issuer "Other root"); set UNDERSTUDY_CA_FILE'),
  );
  expect(link.isConnected()).toBe(false);
  const lines = logged.mock.calls.map(([line]) => String(line));
  expect(lines.filter((line) => line.includes('is not for localhost'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('Other root'))).toHaveLength(1);
  await nats.restart(await authority.issue(['localhost']));
  await waitFor('the return', async () => link.isConnected());
  await link.onApplicationShutdown();
});

it('names the refusal of NATS if its configuration was made from other seeds', async () => {
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const foreign = await TestNats.start({ certificate: await authority.issue(['localhost']) });
  const link = linkTo(`tls://localhost:${foreign.port}`);
  const started = link.start();
  await waitFor('the reason', async () =>
    link.fault?.includes('NATS refuses the credentials of the control plane (Authorization Violation)'),
  );
  await link.onApplicationShutdown();
  await expect(started).rejects.toThrow();
  await foreign.remove();
});
