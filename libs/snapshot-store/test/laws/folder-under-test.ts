import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { FolderBackend } from '../../src/index.js';
import type { StoreUnderTest } from './archives.js';

export async function folderUnderTest(
  root?: string,
): Promise<StoreUnderTest & { root: string; remove(): Promise<void> }> {
  const folder = root ?? (await mkdtemp(join(tmpdir(), 'understudy-store-')));
  return {
    root: folder,
    backend: new FolderBackend(folder),
    keys: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
    },
    get: (key) => readFile(join(folder, key)),
    put: async (key, bytes) => {
      await mkdir(dirname(join(folder, key)), { recursive: true });
      await writeFile(join(folder, key), bytes);
    },
    delete: (key) => rm(join(folder, key)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
