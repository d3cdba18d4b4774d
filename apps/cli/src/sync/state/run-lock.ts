import { readFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { asFileError, CliError } from '../../cli-error.js';
import { EXIT } from '../../exit-code.js';

/**
 * Runs work while holding a lock file, so no other process on this machine runs work with the same lock file
 * at the same time. Ignores the lock of a process that has ended.
 * @throws CliError if another process holds the lock
 */
export async function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; !(await take(file)); tries++) {
    const owner = ownerOf(file);
    if (tries === MAX_TRIES || (owner !== undefined && isAlive(owner))) {
      throw new CliError(
        EXIT.refused,
        `this job file is already running${owner === undefined ? '' : `, in process ${owner}`}`,
        'Wait until that run ends, or stop it with Ctrl-C in its terminal.',
      );
    }
    await rm(file, { force: true });
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

const MAX_TRIES = 3;

async function take(file: string): Promise<boolean> {
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    return asFileError(file)(error);
  });
  if (handle === undefined) return false;
  await handle.writeFile(`${process.pid}\n`).finally(() => handle.close());
  return true;
}

function ownerOf(file: string): number | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
