import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { PackagedName } from './service-binaries.js';

/** The Debian packages of one service, unpacked in a folder. */
export interface UnpackedPackages {
  readonly folder: string;
  readonly libraryPath: string;
}

/** @returns the cache folder, which all checkouts of a user share */
export function packageCache(): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'understudy', 'services', process.arch);
}

export function unpackedPackages(service: PackagedName): UnpackedPackages {
  const folder = join(packageCache(), service);
  return { folder, libraryPath: libraryFolders(folder).join(':') };
}

/**
 * Lists the folders with libraries. On Debian, some are named after the processor architecture, such as
 * usr/lib/x86_64-linux-gnu.
 */
function libraryFolders(root: string): string[] {
  return ['usr/lib', 'lib'].flatMap((lib) => [
    ...names(join(root, lib))
      .filter((name) => name.includes('-linux-'))
      .map((name) => join(root, lib, name)),
    join(root, lib),
  ]);
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // nothing was unpacked
  }
}
