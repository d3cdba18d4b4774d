import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { ConfigurationError } from '../config/agent-configuration.js';
import { StateFolderInUseError, StateFolderLock } from './state-folder-lock.js';

/** Returns the folder for temporary files. They may contain definitions of tables, but no rows. */
export function temporaryFolder(stateDir: string): string {
  return join(stateDir, 'tmp');
}

/** The state folder, which no other process uses until this one ends or closes it. */
export class StateFolder {
  private readonly timer: NodeJS.Timeout;
  private isClosed = false;
  private reportLost: (error: StateFolderInUseError) => void = () => undefined;
  /** Resolves if the folder is moved, deleted or replaced. The process must then end without further work. */
  readonly whenLost = new Promise<StateFolderInUseError>((resolve) => (this.reportLost = resolve));

  private constructor(private readonly lock: StateFolderLock) {
    this.timer = setInterval(() => void this.check(), CHECK_EVERY_MS).unref();
  }

  /**
   * Creates the folder if it is missing, locks it, and empties its folder for temporary files. Call it before any
   * other code opens a file in the state folder for writing.
   * @throws StateFolderInUseError if another process uses the folder
   * @throws ConfigurationError if the folder cannot be used
   */
  static async open(path: string): Promise<StateFolder> {
    let lock: StateFolderLock | undefined;
    try {
      await mkdir(path, { recursive: true, mode: 0o700 });
      lock = StateFolderLock.take(path);
      const temporary = temporaryFolder(path);
      await rm(temporary, { recursive: true, force: true });
      await mkdir(temporary, { mode: 0o700 });
      return new StateFolder(lock);
    } catch (error) {
      lock?.release();
      throw explainStateError(error, path);
    }
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.lock.release();
  }

  private async check(): Promise<void> {
    if ((await this.lock.isInPlace()) || this.isClosed) return;
    clearInterval(this.timer);
    this.reportLost(
      new StateFolderInUseError(
        'the state folder in UNDERSTUDY_AGENT_STATE_DIR was moved, deleted or replaced while the agent used it: stop the agent before you change the folder',
      ),
    );
  }
}

/**
 * Returns a ConfigurationError if the file system refused access to a file in the state folder. Returns any other
 * error unchanged.
 */
export function explainStateError(error: unknown, stateDir: string): unknown {
  const cause = (error as { cause?: unknown } | undefined)?.cause ?? error;
  const { code, path } = cause as { code?: string; path?: string };
  if (code === undefined || path === undefined) return error;
  const within = relative(stateDir, path);
  const remedy = REMEDIES[code];
  if (remedy === undefined || within.startsWith('..')) return error;
  const what = within === '' ? 'the folder' : `"${within}" in the folder`;
  return new ConfigurationError('The agent cannot use its state folder', [
    `UNDERSTUDY_AGENT_STATE_DIR: ${what} ${remedy} (${code})`,
  ]);
}

const NOT_ACCESSIBLE =
  'is not accessible to this user: run the agent as the owner, or change the owner of the folder and its files';

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: NOT_ACCESSIBLE,
  EPERM: NOT_ACCESSIBLE,
  EROFS: 'is on a read-only file system: mount it writable',
  EEXIST: 'is a file: name a folder',
  ENOTDIR: 'has a file in its path: name a folder',
};

const CHECK_EVERY_MS = 2_000;
