import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanUpOnExit } from '@understudy/local-system';

const BLOCK = Buffer.alloc(64 * 1024, 1);

/**
 * A file system in memory that is small enough to fill. Only root can mount one. It is unmounted when this process
 * ends in any way.
 */
export class SmallDisk {
  private readonly callOff: () => void;

  private constructor(readonly folder: string) {
    this.callOff = cleanUpOnExit([], [folder], [`umount --lazy '${folder}'`]);
  }

  /** @returns why this process cannot mount a file system; undefined if it can */
  static whyNotPossible(): string | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
    const disk = SmallDisk.mount(folder, '64k');
    disk?.unmount();
    rmdirSync(folder);
    return disk === undefined ? 'this process cannot mount a file system' : undefined;
  }

  /**
   * Mounts a file system of a fixed size.
   * @param size in the format of `mount`, for example `1m`
   * @returns undefined if this process cannot mount a file system
   */
  static mount(folder: string, size: string): SmallDisk | undefined {
    mkdirSync(folder, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'understudy-test', folder], {
        stdio: 'ignore',
      });
    } catch {
      return undefined;
    }
    chmodSync(folder, 0o711);
    return new SmallDisk(folder);
  }

  /** Fills the disk until only `leave` bytes are free. */
  fill(leave = 0): void {
    const file = openSync(this.ballast, 'w');
    try {
      for (;;) writeSync(file, BLOCK);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
    if (leave > 0) truncateSync(this.ballast, Math.max(0, statSync(this.ballast).size - leave));
  }

  free(): void {
    rmSync(this.ballast, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.folder], { stdio: 'ignore' });
    this.callOff();
  }

  private get ballast(): string {
    return join(this.folder, 'ballast');
  }
}
