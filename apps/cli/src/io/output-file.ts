import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asFileError } from '../cli-error.js';

/** The destination of a command's bytes. */
export interface RowOutput {
  /** Resolves when it takes more bytes. @throws CliError, OutputClosed */
  write(bytes: Uint8Array): Promise<void>;
  /** Makes what was written count. */
  finish(): Promise<void>;
  /** Removes what was written, if that is possible. Never rejects. */
  discard(): Promise<void>;
}

/**
 * A file that appears under its name when it is whole. Until then its bytes are in another file beside it. A named pipe
 * or a device like /dev/null is written directly.
 */
export class OutputFile implements RowOutput {
  private constructor(
    private readonly file: string,
    private readonly path: string,
    /** Absent if the file is written directly. */
    private readonly temporary: string | undefined,
    private readonly handle: FileHandle,
  ) {}

  /** @throws CliError */
  static async create(file: string): Promise<OutputFile> {
    try {
      const existing = statSync(file, { throwIfNoEntry: false });
      if (existing && !existing.isFile()) return new OutputFile(file, file, undefined, await open(file, 'w'));
      // A symbolic link stays: the file that it leads to is replaced.
      const path = existing ? realpathSync(file) : file;
      const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
      return new OutputFile(file, path, temporary, await open(temporary, 'wx'));
    } catch (error) {
      return asFileError(file)(error);
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.handle.writeFile(bytes).catch(asFileError(this.file));
  }

  async finish(): Promise<void> {
    try {
      await this.handle.close();
      if (this.temporary !== undefined) await rename(this.temporary, this.path);
    } catch (error) {
      asFileError(this.file)(error);
    }
  }

  async discard(): Promise<void> {
    // The file is removed in any case; closing a closed handle fails.
    await this.handle.close().catch(() => undefined);
    if (this.temporary !== undefined) await rm(this.temporary, { force: true }).catch(() => undefined);
  }
}

/** Writes a file whole: whatever fails, its name has the old content or the new one. @throws CliError */
export async function writeFileWhole(file: string, bytes: Uint8Array): Promise<void> {
  const output = await OutputFile.create(file);
  try {
    await output.write(bytes);
    await output.finish();
  } catch (error) {
    await output.discard();
    throw error;
  }
}
