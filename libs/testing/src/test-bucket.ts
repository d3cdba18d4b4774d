import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpOnExit, findToolchain, startSwift, stopProcess, type RunningSwift } from '@understudy/stack';

export interface TestBucketServer {
  /** `http://127.0.0.1:<port>`; region `us-east-1`, buckets in the path; there are none yet. */
  readonly endpoint: string;
  readonly owner: RunningSwift['owner'];
  /** Known to the server, and allowed nothing. */
  readonly stranger: RunningSwift['stranger'];
  stop(): Promise<void>;
}

/** @returns whether this machine has an S3 server to start: OpenStack Swift, Debian's python3-swift */
export function hasBucketServer(): boolean {
  return findToolchain('swift') !== undefined;
}

/** Starts a private S3 server in a temporary folder. Call it in `beforeAll` and `stop()` in `afterAll`; it ends with the test process at the latest. */
export async function startTestBucketServer(): Promise<TestBucketServer> {
  const python = findToolchain('swift');
  if (python === undefined) throw new Error('there is no OpenStack Swift: apt-get install python3-swift');
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
