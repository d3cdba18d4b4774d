import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ServiceError } from './protected-files.js';

export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the ids of a user and of the group with the same name, or undefined if one of them does not exist. */
export function findSystemUser(name: string, root: string): UserIds | undefined {
  const uid = idIn(join(root, 'etc/passwd'), name);
  const gid = idIn(join(root, 'etc/group'), name);
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/**
 * Creates a system user without a password, and a group with the same name. Each of them may already exist.
 * @throws ServiceError if the programs of Debian's package `passwd` are missing or fail
 */
export function createSystemUser(name: string, home: string, root: string): UserIds {
  if (idIn(join(root, 'etc/group'), name) === undefined) run('groupadd', ['--system', name], root);
  if (idIn(join(root, 'etc/passwd'), name) === undefined)
    run(
      'useradd',
      ['--system', '--gid', name, '--home-dir', home, '--no-create-home', '--shell', NO_SHELL, name],
      root,
    );
  const ids = findSystemUser(name, root);
  if (ids === undefined)
    throw new ServiceError(`useradd created no user ${name} in ${join(root, 'etc/passwd')}`);
  return ids;
}

/**
 * Removes the user and its group, but none of its files.
 * @returns whether there was a user or a group
 * @throws ServiceError if a process of the user still runs
 */
export function removeSystemUser(name: string, root: string): boolean {
  const hasUser = idIn(join(root, 'etc/passwd'), name) !== undefined;
  if (hasUser) run('userdel', [name], root);
  // userdel also removes the group, unless /etc/login.defs has USERGROUPS_ENAB no.
  const hasGroup = idIn(join(root, 'etc/group'), name) !== undefined;
  if (hasGroup) run('groupdel', [name], root);
  return hasUser || hasGroup;
}

/** Reads the id from a line `name:x:id:…` of a file such as /etc/passwd. */
function idIn(path: string, name: string): number | undefined {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new ServiceError(`cannot read ${path}: expected the root of a Linux system`);
  }
  const line = text.split('\n').find((entry) => entry.startsWith(`${name}:`));
  const id = Number(line?.split(':')[2]);
  return line !== undefined && Number.isSafeInteger(id) ? id : undefined;
}

function run(program: string, args: readonly string[], root: string): void {
  const inRoot = root === '/' ? [] : ['--prefix', root];
  // The PATH of root may lack the folder of programs for administrators, for example after su(1).
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
  try {
    execFileSync(program, [...inRoot, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 60_000,
    });
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: Buffer };
    if (code === 'ENOENT')
      throw new ServiceError(
        `${program} is not installed: install your distribution's package with useradd, such as passwd`,
      );
    const reason = stderr?.toString().trim().split('\n').at(-1) ?? '';
    throw new ServiceError(
      `${program} failed: ${reason || String(code)}. Correct the cause, then repeat the command.`,
    );
  }
}

const NO_SHELL = '/usr/sbin/nologin';
