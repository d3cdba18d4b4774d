import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { NewFile } from './configuration-files.js';

/** The folder cannot be written. The message states the reason and what to do. */
export class FolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FolderError';
  }
}

/**
 * Creates a folder with files, in one step: it writes them into a temporary folder beside the new one, and renames that.
 * If the process is killed before the last step, nothing is at `folder`, and the next call removes the temporary folder.
 * Only the user of the process can read the files with any umask.
 * @param folder an absolute path; it must not exist, or be an empty folder
 * @throws FolderError
 */
export function writeFolder(folder: string, files: Iterable<NewFile>): void {
  refuseExisting(folder);
  const prefix = `.${basename(folder)}.init-`;
  const parent = dirname(folder);
  let temporary: string | undefined;
  try {
    removeLeftovers(parent, prefix);
    temporary = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
    chmodSync(temporary, 0o700);
    for (const { path, text } of files) writeFile(join(temporary, path), text);
    renameSync(temporary, folder);
    syncFolder(parent);
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    throw explained(error, folder, parent);
  }
}

/** @throws FolderError if something is at `folder` that is not an empty folder */
export function refuseExisting(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return;
    throw new FolderError(
      `--folder must name a folder that does not exist or is empty: ${folder} cannot be listed (${code ?? 'unknown reason'})`,
    );
  }
  if (names.length > 0) throw existing(folder, names);
}

function existing(folder: string, names: readonly string[]): FolderError {
  const shown = [...names].sort().slice(0, MAX_SHOWN).join(', ');
  return new FolderError(
    `${folder} is not empty, and nothing in it was changed. It contains ${shown}${names.length > MAX_SHOWN ? ', …' : ''}. ` +
      'If this is an installation, edit its files, or run the command check. Otherwise choose another --folder.',
  );
}

/** Removes the folders of earlier calls whose processes were killed. */
function removeLeftovers(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number(/^\d+/.exec(name.slice(prefix.length))?.[0]) : NaN;
    if (Number.isInteger(pid) && !isRunning(pid))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** Writes a new file that survives a loss of power as soon as the folder is renamed. */
function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  chmodSync(dirname(path), 0o700);
  const file = openSync(path, 'wx', 0o600);
  try {
    chmodSync(path, 0o600);
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function explained(error: unknown, folder: string, parent: string): unknown {
  const { code } = error as { code?: string };
  if (code === 'ENOENT') return new FolderError(`the folder ${parent} does not exist; create it first`);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new FolderError(
      `this user cannot create ${folder} (${code}); run the command as a user who can, or choose another --folder`,
    );
  if (code === 'ENOTEMPTY' || code === 'EEXIST') return existing(folder, readdirSync(folder));
  if (code === 'EBUSY' || code === 'EXDEV')
    return new FolderError(`${folder} is a mount point; choose a folder inside it as --folder`);
  return error;
}

const MAX_SHOWN = 10;
