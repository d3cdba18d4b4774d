import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { startProcess } from '../processes/start-process.js';
import { waitUntilReady } from '../processes/wait-until-ready.js';
import { onFreePort } from './on-free-port.js';
import type { RunningService, ServiceSettings } from './running-service.js';
import { SWIFT_PROGRAM } from './swift-program.py.js';

export interface SwiftOptions extends ServiceSettings {
  /** A Python that has the swift package. */
  readonly python: string;
}

/** An S3 server of its own: region `us-east-1`, buckets in the path. */
export interface RunningSwift extends RunningService {
  /** May do everything. */
  readonly owner: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Is known, and may do nothing. */
  readonly stranger: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Starts OpenStack Swift with its S3 API in one process, for tests. */
export async function startSwift({
  python,
  dataFolder,
  logFile,
  ...place
}: SwiftOptions): Promise<RunningSwift> {
  mkdirSync(dataFolder, { recursive: true });
  const secretAccessKey = randomBytes(16).toString('hex');
  return onFreePort(place.preferredPort, async (port) => {
    const url = `http://127.0.0.1:${port}`;
    const process = await startProcess(
      {
        name: 'swift',
        command: python,
        args: ['-c', SWIFT_PROGRAM, dataFolder, String(port), secretAccessKey],
        env: { PATH: '/usr/bin:/bin', PYTHONDONTWRITEBYTECODE: '1' },
        cwd: dataFolder,
        logFile,
        ...(place.signal && { signal: place.signal }),
      },
      (exited) => waitUntilReady(() => probe(url), { exited }),
    );
    const user = (name: string) => ({ accessKeyId: `test:${name}`, secretAccessKey });
    return { process, port, url, owner: user('owner'), stranger: user('stranger') };
  });
}

/** Nobody may list its buckets without a signature: it answers when it says so. */
async function probe(url: string): Promise<void> {
  await (await fetch(url)).arrayBuffer();
}
