import { statfs } from 'node:fs/promises';

import { Logger } from '@nestjs/common';

/** Checks the free space of the file system that holds the journal. */
export class FreeDisk {
  private readonly logger = new Logger(FreeDisk.name);
  private wasLow = false;

  /** @param floorBytes the agent accepts no work while fewer bytes are free */
  constructor(
    private readonly folder: string,
    private readonly floorBytes: number,
  ) {}

  /** Returns whether fewer bytes than the floor are free. Logs each change. */
  async isLow(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.folder);
    const isLow = bavail * bsize < this.floorBytes;
    if (isLow !== this.wasLow) this.report(isLow);
    this.wasLow = isLow;
    return isLow;
  }

  private report(isLow: boolean): void {
    if (!isLow) this.logger.log('the disk has enough free space again: the agent accepts work');
    else
      this.logger.error(
        `less than ${this.floorBytes / 1_000_000} MB are free for ${this.folder}: the agent accepts no work until more space is free`,
      );
  }
}
