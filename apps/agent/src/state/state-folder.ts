import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { explainStateError } from './explain-state-error.js';
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

  private constructor(
    private readonly lock: StateFolderLock,
    private readonly path: string,
  ) {
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
      return new StateFolder(lock, path);
    } catch (error) {
      const reason = await explain(error, path, lock);
      lock?.release();
      throw reason;
    }
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.lock.release();
  }

  /**
   * Returns why the process cannot go on after an error: the folder was moved, deleted or replaced, or the file system
   * refused access to a file in it. Returns any other error unchanged.
   */
  explain(error: unknown): Promise<unknown> {
    return explain(error, this.path, this.lock);
  }

  private async check(): Promise<void> {
    if ((await this.lock.isInPlace()) || this.isClosed) return;
    clearInterval(this.timer);
    this.reportLost(lost());
  }
}

async function explain(error: unknown, path: string, lock: StateFolderLock | undefined): Promise<unknown> {
  return lock && !(await lock.isInPlace()) ? lost() : explainStateError(error, path);
}

function lost(): StateFolderInUseError {
  return new StateFolderInUseError(
    'the state folder in UNDERSTUDY_AGENT_STATE_DIR was moved, deleted or replaced while the agent used it: stop the agent before you change the folder',
  );
}

const CHECK_EVERY_MS = 2_000;
