import { statfs } from 'node:fs/promises';

import { Logger } from '@nestjs/common';

/** The free space of the file system that holds the journal. */
export class FreeDisk {
  private readonly logger = new Logger(FreeDisk.name);
  private wasLow = false;

  /** @param floorBytes below it the agent takes no work; 0: it always does */
  constructor(
    private readonly folder: string,
    private readonly floorBytes: number,
  ) {}

  /** Returns whether less than the floor is free for this process. Logs each change. */
  async isLow(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.folder);
    const isLow = bavail * bsize < this.floorBytes;
    if (isLow !== this.wasLow) this.report(isLow);
    this.wasLow = isLow;
    return isLow;
  }

  private report(isLow: boolean): void {
    if (!isLow) this.logger.log('the disk has room again: the agent takes work');
    else
      this.logger.error(
        `less than ${this.floorBytes / 1_000_000} MB are free for ${this.folder}: the agent takes no work until there is more room`,
      );
  }
}
