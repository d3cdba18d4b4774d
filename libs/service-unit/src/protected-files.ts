import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** An installation cannot continue. The message states what to do, and contains no secret. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
}

/** The owner, the group and the permission bits of a file or folder. */
export interface Access {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** The result of one step of an installation, for the operator. */
export interface FileChange {
  /** Path without the root folder of the installation, or the name of a user. */
  readonly what: string;
  readonly change: 'created' | 'replaced' | 'kept';
}

/**
 * Writes a file that appears only when it is complete and has its access. An interrupted call leaves at most a hidden
 * file in the folder, which {@link removeRemains} removes. The content can be a secret.
 */
export function writeProtectedFile(path: string, content: string, access: Access): void {
  const draft = join(dirname(path), `${DRAFT_PREFIX}${randomBytes(8).toString('hex')}`);
  const file = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeFileSync(file, content);
    fchownSync(file, access.uid, access.gid);
    fchmodSync(file, access.mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

/** Removes the drafts of interrupted calls of {@link writeProtectedFile} in a folder. */
export function removeRemains(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(DRAFT_PREFIX)) rmSync(join(folder, name));
}

/** Creates a folder and its parents. Does nothing to an existing folder. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o755 });
}

/**
 * Sets the access of a folder, of its files, and of the files in its subfolders. Does not follow links, and does not
 * go deeper.
 * @returns the paths of the files
 */
export function protectFolder(folder: string, access: { folder: Access; file: Access }, depth = 1): string[] {
  setAccess(folder, access.folder, 'folder');
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 ? protectFolder(path, access, depth - 1) : [];
    if (!entry.isFile()) return [];
    setAccess(path, access.file, 'file');
    return [path];
  });
}

/** Sets the access of one file or folder. Fails if the path is a link, so a link cannot lead to another file. */
export function setAccess(path: string, { uid, gid, mode }: Access, kind: 'file' | 'folder'): void {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = openSync(path, kind === 'folder' ? flags | constants.O_DIRECTORY : flags);
  try {
    fchownSync(handle, uid, gid);
    fchmodSync(handle, mode);
  } finally {
    closeSync(handle);
  }
}

/**
 * Gives a state folder to a user. A folder that belongs to the user stays as it is. A folder of root was left by an
 * uninstallation, so nobody else can write to it, and its whole content gets the new owner.
 */
export function giveStateFolder(folder: string, access: Access): FileChange['change'] {
  const existing = lstatSync(folder, { throwIfNoEntry: false });
  if (existing === undefined) makeFolder(folder);
  else if (!existing.isDirectory())
    throw new ServiceError(`expected a folder at ${folder}: move the file away`);
  else if (existing.uid !== access.uid && existing.uid !== 0)
    throw new ServiceError(
      `the folder ${folder} belongs to another user (id ${existing.uid}): move it, or change its owner`,
    );
  else if (existing.uid === 0)
    for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true }))
      lchownSync(join(parentPath, name), access.uid, access.gid);
  setAccess(folder, access, 'folder');
  return existing === undefined ? 'created' : 'kept';
}

const DRAFT_PREFIX = '.understudy-draft-';
