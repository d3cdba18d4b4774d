import { probeServer } from '@understudy/connection-fault';
import { CheckFailure, type CheckReport } from '@understudy/operator-commands';
import { Outbound } from '@understudy/outbound';

import {
  inspectNats,
  type NatsFacts,
  NatsRefusalError,
} from '../../../agents/agent-link/connection/inspect-nats.js';
import { lackOfStorage, STORAGE_REMEDY } from '../../../agents/agent-link/connection/stream-storage.js';
import type { Configuration } from '../../../platform/config/configuration.js';

/**
 * Checks that NATS trusts the seeds of the configuration. Changes nothing there.
 * @param startNats the command that starts a server with new seeds, which no running server can trust yet
 */
export async function checkNats(
  report: CheckReport,
  configuration: Configuration,
  startNats: string | undefined,
): Promise<void> {
  const { nats } = configuration;
  const outbound = new Outbound(configuration.outbound);
  const { host, port, connected, fault } = await probeServer(outbound, nats.url, { timeoutMs: PROBE_MS });
  if (startNats !== undefined) {
    if (connected)
      report.warn(
        'NATS',
        `a server with another configuration runs at ${host}:${port}`,
        `stop it, and start it again with the new one: ${startNats}`,
      );
    else report.warn('NATS', `no server runs at ${host}:${port} yet`, `start it: ${startNats}`);
    return;
  }
  const facts = await report.step('NATS', async (signal) => {
    if (fault !== undefined) throw CheckFailure.from(`${host}:${port}: ${fault.message}`);
    const found = await inspected(outbound, configuration, signal);
    return { facts: versionFacts(found.version, `${host}:${port}`), value: found };
  });
  if (facts === undefined) {
    report.skip('NATS trust', 'because there is no connection');
    report.skip('NATS JetStream', 'because there is no connection');
    return;
  }
  if (facts.wrongSeeds.length === 0) report.ok('NATS trust', 'the server trusts all four seeds');
  else
    report.fail(
      'NATS trust',
      `the server uses another seed of the ${facts.wrongSeeds.join(' and the ')}`,
      WRITE_CONFIGURATION,
    );
  const lack = facts.storage && lackOfStorage(facts.storage);
  if (facts.storage === undefined)
    report.fail(
      'NATS JetStream',
      'off, or not permitted for the account of the control plane',
      WRITE_CONFIGURATION,
    );
  else if (lack === undefined) report.ok('NATS JetStream', 'on, with storage for its streams');
  else report.fail('NATS JetStream', lack, STORAGE_REMEDY);
}

async function inspected(
  outbound: Outbound,
  configuration: Configuration,
  signal: AbortSignal,
): Promise<NatsFacts> {
  try {
    return await inspectNats(outbound, configuration, signal);
  } catch (error) {
    if (!(error instanceof NatsRefusalError)) throw error;
    throw new CheckFailure(`the server refuses the seed of the ${error.seed}`, WRITE_CONFIGURATION);
  }
}

function versionFacts(version: string, server: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]))
    return `version ${version} at ${server}`;
  throw new CheckFailure(`the server has version ${version}`, `use nats-server ${OLDEST.join('.')} or newer`);
}

const WRITE_CONFIGURATION =
  'start nats-server with the nats.conf that was made from the same seeds, or correct the seeds';
const PROBE_MS = 4_000;
const OLDEST = [2, 9] as const;
