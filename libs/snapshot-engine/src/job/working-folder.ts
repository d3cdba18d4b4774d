import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull, SnapshotError } from './snapshot-failure.js';

/**
 * Creates a folder for one attempt, calls `work` with its path, and removes the folder.
 * @throws SnapshotError pg_dump_failed if the folder cannot be created
 */
export async function withWorkingFolder<T>(
  workFolder: string,
  prefix: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await createFolder(workFolder, prefix);
  try {
    return await work(folder);
  } finally {
    await remove(folder);
  }
}

/** Removes a folder into which a program that has been stopped may still write for a moment. */
function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

async function createFolder(workFolder: string, prefix: string): Promise<string> {
  try {
    await mkdir(workFolder, { recursive: true, mode: 0o700 });
    return await mkdtemp(join(workFolder, `${prefix}.`));
  } catch (cause) {
    if (isDiskFull(cause)) throw cause;
    throw new SnapshotError({ code: 'pg_dump_failed' }, { cause });
  }
}

/**
 * Matches the names of folders that attempts created. A name consists of the id of a snapshot or restore, an
 * epoch, and six characters from `mkdtemp`.
 */
const WORKING_FOLDER = /^\w+-\d+\.\w{6}$/;

/**
 * Removes the working folders of an earlier process. Call it before the first attempt of this process begins.
 * @returns the number of removed folders
 */
export async function sweepWorkingFolders(workFolder: string): Promise<number> {
  const left = await readdir(workFolder).catch(() => []); // the folder does not exist before the first attempt
  const folders = left.filter((name) => WORKING_FOLDER.test(name));
  for (const name of folders) await remove(join(workFolder, name));
  return folders.length;
}
