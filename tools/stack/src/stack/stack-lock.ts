import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { StackError } from '../stack-error.js';

const LOCK_TIMEOUT_S = 300;

/** Lets one `up`, `down` or `load` at a time work on a folder. A lock whose holder died is taken over after 10 s. */
export async function withStackLock<T>(
  folder: string,
  say: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const options = { lockfilePath: join(folder, 'lock'), stale: 10_000 };
  let release: (() => Promise<void>) | undefined;
  try {
    release = await lock(folder, options);
  } catch {
    say('another command works on this stack: waiting for it');
    const retries = { retries: LOCK_TIMEOUT_S * 4, factor: 1, minTimeout: 250, maxTimeout: 250 };
    release = await lock(folder, { ...options, retries }).catch((cause: unknown) => {
      throw new StackError('stack.locked', `another command holds ${options.lockfilePath}`, undefined, {
        cause,
      });
    });
  }
  try {
    return await work();
  } finally {
    await release();
  }
}
