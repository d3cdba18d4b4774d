import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { StackError } from '../stack-error.js';

const LOCK_TIMEOUT_S = 300;

/**
 * Runs the work under a lock, so that only one `up`, `down` or `load` at a time changes a folder. The lock of
 * a process that died expires after 10 s.
 */
export async function withStackLock<T>(
  folder: string,
  log: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const options = { lockfilePath: join(folder, 'lock'), stale: 10_000 };
  let release: (() => Promise<void>) | undefined;
  try {
    release = await lock(folder, options);
  } catch {
    log('waiting for another command that works on this stack');
    const retries = { retries: LOCK_TIMEOUT_S * 4, factor: 1, minTimeout: 250, maxTimeout: 250 };
    release = await lock(folder, { ...options, retries }).catch((cause: unknown) => {
      throw new StackError(
        'stack.locked',
        `another command still has the lock ${options.lockfilePath}`,
        undefined,
        {
          cause,
        },
      );
    });
  }
  try {
    return await work();
  } finally {
    await release();
  }
}
