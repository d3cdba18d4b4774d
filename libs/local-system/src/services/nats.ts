import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  natsServerConfiguration,
  natsServerFiles,
  type NatsSeeds,
} from '@understudy/agent-protocol/nats-trust';
import { startProcess } from '../processes/start-process.js';
import { waitUntilReady } from '../processes/wait-until-ready.js';
import { replaceFile } from '../replace-file.js';
import { binaryEnvironment, type ServerBinary } from '../binaries/service-binaries.js';
import { onFreePort } from './on-free-port.js';
import { probeNats } from './probes.js';
import type { RunningService, ServiceSettings } from './running-service.js';

export interface NatsOptions extends ServiceSettings {
  readonly binary: ServerBinary;
  readonly seeds: NatsSeeds;
}

/** Starts a private nats-server in operator mode with JetStream on disk. */
export async function startNats({
  binary,
  seeds,
  dataFolder,
  preferredPort,
  ...process
}: NatsOptions): Promise<RunningService> {
  mkdirSync(dataFolder, { recursive: true });
  const configuration = join(dataFolder, 'nats.conf');
  return onFreePort(preferredPort, async (port) => {
    const text = existsSync(configuration)
      ? movedTo(port, readFileSync(configuration, 'utf8'))
      : natsServerConfiguration(await natsServerFiles(seeds), { host: '127.0.0.1', port, dataFolder });
    replaceFile(configuration, text);
    const url = `nats://127.0.0.1:${port}`;
    const identity = await startProcess(
      {
        name: 'nats',
        command: binary.path,
        args: ['-c', configuration],
        env: binaryEnvironment(binary),
        cwd: dataFolder,
        ...process,
      },
      (exited) => waitUntilReady(() => probeNats(url), { exited }),
    );
    return { process: identity, port, url };
  });
}

/**
 * Replaces the port in a configuration file. The other lines must stay the same: a newly signed account claim
 * would be newer than the revocations that were pushed to the server, and would replace them.
 */
function movedTo(port: number, configuration: string): string {
  return configuration.replace(/^port: \d+$/m, `port: ${port}`);
}
