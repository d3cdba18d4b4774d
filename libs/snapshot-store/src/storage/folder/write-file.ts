import { link, mkdir, open, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { isNotFound, isSystemError } from './errors.js';

/** Writes are batched to need fewer trips to the thread pool. */
const BATCH_BYTES = 2 ** 20;

/**
 * Writes a new file and waits until its bytes are on the disk. Its name is durable after {@link syncFolder}.
 * Leaves nothing behind if it fails.
 * @param signal checked between writes
 */
export async function writeDurableFile(
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    try {
      await writeBatches(file, content, signal);
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (error) {
    // The write failure is reported. If the file cannot be removed, a later sweep removes it.
    await unlink(path).catch(() => undefined);
    throw error;
  }
}

async function writeBatches(
  file: FileHandle,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  let batch: Uint8Array[] = [];
  let batchBytes = 0;
  const flush = async (): Promise<void> => {
    signal.throwIfAborted();
    const [only] = batch;
    let rest: Uint8Array = batch.length === 1 && only !== undefined ? only : Buffer.concat(batch);
    [batch, batchBytes] = [[], 0];
    // A disk that is almost full writes a part of the bytes and rejects the rest.
    while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten);
  };
  for await (const part of content) {
    batch.push(part);
    batchBytes += part.length;
    if (batchBytes >= BATCH_BYTES) await flush();
  }
  await flush();
}

/** Makes the names in a folder survive a loss of power. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Creates a folder inside an existing folder. Does nothing if a folder with this path already exists. */
export async function ensureFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EEXIST') throw error;
  }
}

/** Renames a finished file in one step. @returns false, without a change, if the new name is taken */
export async function renameIfAbsent(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'EEXIST') return false;
    if (!NO_LINKS.has(error.code)) throw error;
    // For file systems without links (SMB, FAT). If two agents publish the same archive concurrently, both
    // may succeed.
    if (await exists(to)) return false;
    await rename(from, to);
    return true;
  }
  await rm(from, { force: true });
  return true;
}

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false;
      throw error;
    },
  );
}
