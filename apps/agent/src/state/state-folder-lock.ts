import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { tryLock } from 'fs-native-extensions';

import { ConfigurationError } from '../config/agent-configuration.js';

/** Another process uses the state folder, or the folder was replaced while this process used it. */
export class StateFolderInUseError extends Error {
  readonly code = 'agent.state_folder_in_use';

  constructor(message: string) {
    super(message);
    this.name = 'StateFolderInUseError';
  }
}

/**
 * Locks the file `lock` in the state folder, so that one process at a time uses the folder. The operating system
 * owns the lock and releases it when the process ends in any way. Child processes do not inherit it. A suspended
 * process keeps it.
 */
export class StateFolderLock {
  private constructor(
    private readonly path: string,
    private readonly fd: number,
    private readonly file: { readonly dev: number; readonly ino: number },
  ) {}

  /**
   * @throws StateFolderInUseError if another process holds the lock
   * @throws ConfigurationError if the file system has no locks
   * @throws an error of the file system
   */
  static take(folder: string): StateFolderLock {
    const path = join(folder, 'lock');
    const fd = openSync(path, 'a+', 0o600);
    try {
      if (!isGranted(fd)) throw inUse(path);
      noteOwner(fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    return new StateFolderLock(path, fd, fstatSync(fd));
  }

  /** Returns false if the folder or its lock file was moved, deleted or replaced, so that the lock protects nothing. */
  async isInPlace(): Promise<boolean> {
    try {
      const { dev, ino } = await stat(this.path);
      return dev === this.file.dev && ino === this.file.ino;
    } catch (error) {
      // Other errors, such as those of a network file system that is away, do not prove that the file is gone.
      return !['ENOENT', 'ENOTDIR'].includes(String((error as { code?: unknown }).code));
    }
  }

  release(): void {
    closeSync(this.fd);
  }
}

function isGranted(fd: number): boolean {
  try {
    return tryLock(fd);
  } catch (error) {
    const { code = 'unknown reason' } = error as { code?: string };
    throw new ConfigurationError('The agent cannot lock its state folder', [
      `the file system of UNDERSTUDY_AGENT_STATE_DIR has no file locks (${code}): use a local disk, a block volume or NFS 4`,
    ]);
  }
}

/** Writes who holds the lock, for the message of a second process. Nothing else depends on this text. */
function noteOwner(fd: number): void {
  try {
    ftruncateSync(fd);
    writeSync(fd, `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}\n`);
  } catch {
    // The disk is full. The agent must start nevertheless, because it may have events to send.
  }
}

function inUse(path: string): StateFolderInUseError {
  const owner = /^process \d+ on [\w.-]+ since [\w:.-]+$/.exec(readFileSync(path, 'utf8').trim())?.[0];
  return new StateFolderInUseError(
    `another agent uses the state folder in UNDERSTUDY_AGENT_STATE_DIR (${owner ?? 'unknown process'}): stop it, or give this agent a folder of its own and enrol it as another agent`,
  );
}
