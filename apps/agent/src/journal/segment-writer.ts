import { rm, type FileHandle } from 'node:fs/promises';

import type { JournalLine } from './journal-entry.js';
import { createSegment, syncFolder } from './segment-files.js';

/** The segment that lines are appended to. A write that fails leaves nothing of its line behind. */
export class SegmentWriter {
  private goodBytes = 0;

  private constructor(
    private readonly file: FileHandle,
    readonly path: string,
    readonly number: number,
  ) {}

  /** Resolves when the segment and its first line are on the disk; leaves no file behind when that fails. */
  static async begin(folder: string, number: number, firstLine: JournalLine): Promise<SegmentWriter> {
    const { file, path } = await createSegment(folder, number);
    const writer = new SegmentWriter(file, path, number);
    try {
      await writer.append(firstLine);
      await file.sync();
      await syncFolder(folder);
      return writer;
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Bytes of whole lines. */
  get size(): number {
    return this.goodBytes;
  }

  /** @throws TornSegmentError when a part of the line stays in the file, the system's error otherwise */
  async append(line: JournalLine): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      await this.file.appendFile(bytes);
    } catch (cause) {
      await this.file.truncate(this.goodBytes).catch(() => {
        throw new TornSegmentError(this.path, { cause });
      });
      throw cause;
    }
    this.goodBytes += bytes.length;
  }

  /** Resolves when every line is on the disk. */
  async sync(): Promise<void> {
    await this.file.datasync();
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

/** A line that was written in part cannot be taken back: the next one would be glued to it. */
export class TornSegmentError extends Error {
  constructor(path: string, options: ErrorOptions) {
    super(`a part of a line cannot be removed from ${path}`, options);
    this.name = 'TornSegmentError';
  }
}
