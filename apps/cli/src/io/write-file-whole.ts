import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { asFileError } from '../cli-error.js';

/** Under its name there is the old file or the new one, whole, whatever happens on the way. @throws CliError */
export async function writeFileWhole(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(temporary, 'wx');
    await handle.writeFile(bytes).finally(() => handle.close());
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    asFileError(file)(error);
  }
}
