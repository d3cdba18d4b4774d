import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { asFileError } from '../cli-error.js';
import type { RowOutput } from './row-output.js';

/**
 * A file that is there under its name when it is whole: until then its bytes are in another one beside it. What is no
 * ordinary file (a pipe with a name, /dev/null) is written as it stands.
 */
export class OutputFile implements RowOutput {
  private constructor(
    private readonly file: string,
    private readonly place: string,
    /** Absent where there is nothing to be replaced. */
    private readonly temporary: string | undefined,
    private readonly handle: FileHandle,
  ) {}

  /** @throws CliError */
  static async create(file: string): Promise<OutputFile> {
    try {
      const existing = statSync(file, { throwIfNoEntry: false });
      if (existing && !existing.isFile()) return new OutputFile(file, file, undefined, await open(file, 'w'));
      // Of a symbolic link the file that it leads to is replaced.
      const place = existing ? realpathSync(file) : file;
      const temporary = join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}`);
      return new OutputFile(file, place, temporary, await open(temporary, 'wx'));
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
      if (this.temporary !== undefined) await rename(this.temporary, this.place);
    } catch (error) {
      asFileError(this.file)(error);
    }
  }

  async discard(): Promise<void> {
    // The file goes in any case; a handle that is closed already says so.
    await this.handle.close().catch(() => undefined);
    if (this.temporary !== undefined) await rm(this.temporary, { force: true }).catch(() => undefined);
  }
}
