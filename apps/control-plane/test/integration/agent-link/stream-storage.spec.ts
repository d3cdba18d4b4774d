import { jetstreamManager, StorageType, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { CheckReport, type CheckResult } from '@understudy/operator-commands';
import { Outbound } from '@understudy/outbound';
import { startTestServices, waitFor, type TestServices } from '@understudy/testing';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import {
  connectAsControlPlane,
  connectToSystemAccount,
} from '../../../src/agents/agent-link/connection/nats-connections.js';
import { readStreamStorage } from '../../../src/agents/agent-link/connection/stream-storage.js';
import { checkNats } from '../../../src/commands/check/steps/nats.js';
import type { Configuration } from '../../../src/platform/config/configuration.js';
import { testConfiguration } from './agent-link-configuration.js';

const MIB = 1024 * 1024;
const OTHER = 'OTHER';
const lackOf = (neededMib: string, freeMib: string) =>
  expect.stringContaining(
    `the streams of the control plane need ${neededMib} MiB on the disk of nats-server, and it can reserve ${freeMib} MiB`,
  );

let services: TestServices;
let configuration: Configuration;
let connections: NatsConnection[] = [];
let manager: JetStreamManager;
let link: AgentLinkService | undefined;
beforeAll(async () => {
  services = await startTestServices({ nats: true }); // the test reserves the storage of the server
  configuration = testConfiguration(services);
  const attempts = { signal: new AbortController().signal, onFailure: () => undefined };
  const account = await connectAsControlPlane(new Outbound(), configuration.nats, attempts);
  const system = await connectToSystemAccount(new Outbound(), configuration.nats, attempts);
  connections = [account, system];
  manager = await jetstreamManager(account);
  const { freeBytes, neededBytes } = await readStreamStorage(system, manager, configuration.agentLink);
  const max_bytes = freeBytes - neededBytes + MIB;
  await manager.streams.add({ name: OTHER, subjects: ['other.>'], storage: StorageType.File, max_bytes });
});
afterAll(async () => {
  await link?.onApplicationShutdown();
  await Promise.all(connections.map((connection) => connection.close()));
  await services?.stop();
});

async function checkedStorage(): Promise<CheckResult | undefined> {
  const report = new CheckReport(
    () => undefined,
    () => undefined,
  );
  await checkNats(report, configuration, undefined);
  return report.results.find(({ step }) => step === 'NATS JetStream');
}

describe('a nats-server that cannot reserve the storage of the streams', () => {
  it('makes the control plane wait with the reason, until it can', async () => {
    expect(await checkedStorage()).toMatchObject({ state: 'fail', facts: lackOf('1,280', '1,279') });
    link = new AgentLinkService(configuration, new Outbound());
    const started = link.start();
    const fault = await waitFor('the reason', async () => link?.fault);
    // The smaller stream exists now.
    expect([fault, link.isConnected(), link.isReady()]).toEqual([lackOf('1,024', '1,023'), true, false]);
    await manager.streams.delete(OTHER);
    await started;
    expect([link.fault, link.isReady()]).toEqual([undefined, true]);
    for (const name of ['COMMANDS', 'EVENTS'])
      expect((await manager.streams.info(name)).config.max_bytes).toBeGreaterThan(0);
    expect(await checkedStorage()).toMatchObject({ state: 'ok' });
  });
});
