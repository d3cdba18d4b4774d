import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { LocalSystemError } from '../local-system-error.js';

export interface LockOptions {
  /** Receives a line if another command has the lock. */
  readonly log?: (line: string) => void;
  /** Time after which the call fails if another command still has the lock. Default: 300 s. */
  readonly waitSeconds?: number;
}

/**
 * Creates the folder, and runs the work under its lock, so that only one command at a time changes the folder.
 * The lock of a process that died expires after 10 s.
 * @throws LocalSystemError if the folder is not writable, or if another command has the lock
 */
export async function withSystemLock<T>(
  folder: string,
  { log = () => undefined, waitSeconds = 300 }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  makeFolder(folder);
  const options = {
    ...{ lockfilePath: join(folder, 'lock'), stale: 10_000 },
    onCompromised: () => undefined, // a suspended machine updated the lock late; the work goes on
  };
  let release: (() => Promise<void>) | undefined;
  try {
    release = await lock(folder, options);
  } catch {
    log('waiting for another command that works in this folder');
    const retries = { retries: waitSeconds * 4, factor: 1, minTimeout: 250, maxTimeout: 250 };
    release = await lock(folder, { ...options, retries }).catch((cause: unknown) => {
      const message = `another command works in ${folder}: it has the lock ${options.lockfilePath}`;
      throw new LocalSystemError('system.locked', message, 'stop that command', { cause });
    });
  }
  try {
    return await work();
  } finally {
    await release();
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown reason';
    const message = `expected a folder in which files can be created, but ${folder} is not usable (${reason})`;
    throw new LocalSystemError('configuration.invalid', message, 'choose another folder', { cause });
  }
}
