import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder for one attempt, in which nothing lasts. */
export async function withWorkingFolder<T>(
  workFolder: string,
  prefix: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(workFolder, `${prefix}.`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** `prefix` is an id of the control plane and an epoch; `mkdtemp` adds six characters. Nothing else is removed. */
const WORKING_FOLDER = /^\w+-\d+\.\w{6}$/;

/** Removes what attempts of an earlier process left. Before any of this one begins. */
export async function sweepWorkingFolders(workFolder: string): Promise<number> {
  const left = await readdir(workFolder).catch(() => []); // none yet
  const folders = left.filter((name) => WORKING_FOLDER.test(name));
  for (const name of folders) await rm(join(workFolder, name), { recursive: true, force: true });
  return folders.length;
}
