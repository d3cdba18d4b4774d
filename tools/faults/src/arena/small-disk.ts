import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const SIZE = '768m';
const BLOCK = Buffer.alloc(1024 * 1024, 1);

/** A file system in memory, small enough to be filled; only root may mount one. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** @returns undefined where this process may not mount */
  static mount(folder: string): SmallDisk | undefined {
    mkdirSync(folder, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'understudy-faults', folder], {
        stdio: 'ignore',
      });
    } catch {
      return undefined;
    }
    chmodSync(folder, 0o711);
    return new SmallDisk(folder);
  }

  fill(): void {
    const file = openSync(this.ballast, 'w');
    try {
      for (;;) writeSync(file, BLOCK);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.ballast, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.folder], { stdio: 'ignore' });
  }

  private get ballast(): string {
    return join(this.folder, 'ballast');
  }
}
