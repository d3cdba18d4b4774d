import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../processes/start-process.js';
import { waitUntilReady } from '../processes/wait-until-ready.js';
import { binaryEnvironment, type ServerBinary } from '../binaries/service-binaries.js';
import { onFreePort } from './on-free-port.js';
import { probeRedis } from './probes.js';
import type { RunningService, ServiceSettings } from './running-service.js';

export interface RedisOptions extends ServiceSettings {
  readonly binary: ServerBinary;
  readonly password: string;
  /** True to write an append-only file that is synced every second. */
  readonly durable: boolean;
}

/**
 * Starts a private Redis. BullMQ needs `noeviction`. The password is in a file with mode 0600, not on the
 * command line.
 */
export async function startRedis(options: RedisOptions): Promise<RunningService> {
  const { binary, dataFolder, password, durable, preferredPort, ...process } = options;
  mkdirSync(dataFolder, { recursive: true });
  const configuration = join(dataFolder, 'redis.conf');
  return onFreePort(preferredPort, async (port) => {
    writeFileSync(configuration, configurationText({ dataFolder, password, durable }, port), { mode: 0o600 });
    chmodSync(configuration, 0o600);
    const url = `redis://:${password}@127.0.0.1:${port}`;
    const identity = await startProcess(
      {
        name: 'redis',
        command: binary.path,
        args: [configuration],
        env: binaryEnvironment(binary),
        cwd: dataFolder,
        ...process,
      },
      (exited) => waitUntilReady(() => probeRedis(url), { exited }),
    );
    return { process: identity, port, url };
  });
}

function configurationText(
  { dataFolder, password, durable }: Pick<RedisOptions, 'dataFolder' | 'password' | 'durable'>,
  port: number,
): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    'daemonize no',
    `dir ${JSON.stringify(dataFolder)}`,
    `requirepass ${password}`,
    'maxmemory-policy noeviction',
    'save ""',
    `appendonly ${durable ? 'yes' : 'no'}`,
    '',
  ].join('\n');
}
