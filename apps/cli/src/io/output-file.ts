import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asFileError } from '../cli-error.js';

/** The destination of a command's output. */
export interface RowOutput {
  /**
   * Writes bytes. Resolves when the output accepts more bytes.
   * @throws CliError if writing fails, OutputClosed if the reader closed the output
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Completes the output and makes the written bytes permanent. */
  finish(): Promise<void>;
  /** Removes the written bytes if possible. Never rejects. */
  discard(): Promise<void>;
}

/**
 * A file that appears under its name only when it is complete. Until then, its bytes are in a temporary file in the
 * same folder. A named pipe or a device such as /dev/null is written directly.
 */
export class OutputFile implements RowOutput {
  private constructor(
    private readonly file: string,
    private readonly path: string,
    /** Absent if the file is written directly. */
    private readonly temporary: string | undefined,
    private readonly handle: FileHandle,
  ) {}

  /** Creates the temporary file, or opens a pipe or device. @throws CliError if that fails */
  static async create(file: string): Promise<OutputFile> {
    try {
      const existing = statSync(file, { throwIfNoEntry: false });
      if (existing && !existing.isFile()) return new OutputFile(file, file, undefined, await open(file, 'w'));
      // A symbolic link is kept, and the file that it points to is replaced.
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
    // Closing fails if the handle is already closed. The temporary file must be removed in any case.
    await this.handle.close().catch(() => undefined);
    if (this.temporary !== undefined) await rm(this.temporary, { force: true }).catch(() => undefined);
  }
}

/**
 * Writes a file atomically: after any failure, the file has either its old or its new content.
 * @throws CliError if writing fails
 */
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
