import { rm, type FileHandle } from 'node:fs/promises';

import type { JournalLine } from './journal-entry.js';
import { writeLine } from './parse-line.js';
import { createSegment, syncFolder } from './segment-files.js';

/** Appends lines to the current segment. If a write fails, removes its partial line from the file. */
export class SegmentWriter {
  private goodBytes = 0;

  private constructor(
    private readonly file: FileHandle,
    readonly path: string,
    readonly number: number,
  ) {}

  /** Creates a segment. Resolves when it and its first line are on the disk. On failure, removes the file. */
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

  /** The size of the segment in bytes. */
  get size(): number {
    return this.goodBytes;
  }

  /**
   * Appends a line, without waiting for the disk.
   * @throws TornSegmentError if a part of the line remains in the file; otherwise the error of the file system
   */
  async append(line: JournalLine): Promise<void> {
    const bytes = Buffer.from(`${writeLine(line)}\n`);
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

/** A partially written line could not be removed, so no further line may be appended to the segment. */
export class TornSegmentError extends Error {
  constructor(path: string, options: ErrorOptions) {
    super(`a partially written line could not be removed from ${path}`, options);
    this.name = 'TornSegmentError';
  }
}
