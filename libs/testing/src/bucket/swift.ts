import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import {
  onFreePort,
  type RunningService,
  type ServiceSettings,
  startProcess,
  waitUntilReady,
} from '@understudy/local-system';
import { SWIFT_PROGRAM } from './swift-program.py.js';

export interface SwiftOptions extends ServiceSettings {
  /** Path of a Python that has the swift package. */
  readonly python: string;
}

/** A private S3 server with the region `us-east-1`. Its URLs contain the bucket in the path. */
export interface RunningSwift extends RunningService {
  /** Credentials of a user with all privileges. */
  readonly owner: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Credentials of a user without privileges. */
  readonly stranger: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Starts OpenStack Swift with its S3 API in one process, for tests. */
export async function startSwift({
  python,
  dataFolder,
  logFile,
  ...service
}: SwiftOptions): Promise<RunningSwift> {
  mkdirSync(dataFolder, { recursive: true });
  const secretAccessKey = randomBytes(16).toString('hex');
  return onFreePort(service.preferredPort, async (port) => {
    const url = `http://127.0.0.1:${port}`;
    const process = await startProcess(
      {
        name: 'swift',
        command: python,
        args: ['-c', SWIFT_PROGRAM, dataFolder, String(port), secretAccessKey],
        env: { PATH: '/usr/bin:/bin', PYTHONDONTWRITEBYTECODE: '1' },
        cwd: dataFolder,
        logFile,
        ...(service.signal && { signal: service.signal }),
      },
      (exited) => waitUntilReady(() => probe(url), { exited }),
    );
    const user = (name: string) => ({ accessKeyId: `test:${name}`, secretAccessKey });
    return { process, port, url, owner: user('owner'), stranger: user('stranger') };
  });
}

/**
 * Resolves if the server sends any response. The server rejects this request because it has no signature, but
 * even a rejection shows that the server runs.
 */
async function probe(url: string): Promise<void> {
  await (await fetch(url)).arrayBuffer();
}
