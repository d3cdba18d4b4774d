import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpOnExit, stopProcess } from '@understudy/local-system';
import { findToolchain } from '../provision/toolchains.js';
import { startSwift, type RunningSwift } from './swift.js';

export interface TestBucketServer {
  /**
   * `http://127.0.0.1:<port>`, region `us-east-1`, with the bucket name in the path. The server starts
   * without buckets.
   */
  readonly endpoint: string;
  readonly owner: RunningSwift['owner'];
  /** A user that the server knows but that has no permissions. */
  readonly stranger: RunningSwift['stranger'];
  stop(): Promise<void>;
}

/**
 * Starts a private S3 server in a temporary folder. Call this in `beforeAll` and `stop()` in `afterAll`. If
 * the test process ends first, the server ends with it.
 */
export async function startTestBucketServer(): Promise<TestBucketServer> {
  const python = findToolchain('swift');
  if (python === undefined)
    throw new Error('OpenStack Swift is not installed; install it with: apt-get install python3-swift');
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bucket-'));
  const running = await startSwift({ python, dataFolder: folder, logFile: join(folder, 'swift.log') });
  const callOff = cleanUpOnExit([running.process.pid], [folder]);
  return {
    endpoint: running.url,
    owner: running.owner,
    stranger: running.stranger,
    stop: async () => {
      await stopProcess(running.process, { signal: 'SIGKILL', graceMs: 3_000 });
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      callOff();
    },
  };
}
