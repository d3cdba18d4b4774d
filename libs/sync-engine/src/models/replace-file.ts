import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file that only its owner can read. Readers see either the complete old file or the complete new
 * file, even after a crash.
 * @param modifiedAt the modification time to set; the present time if undefined
 */
export async function replaceFile(path: string, bytes: Uint8Array, modifiedAt?: Date): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (modifiedAt !== undefined) await utimes(temporary, modifiedAt, modifiedAt);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
