import { createHash } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SystemUser } from '../processes/system-user.js';

/**
 * Finds a folder that a user can reach.
 * @param wanted absolute path; its parents need not exist yet
 * @returns `wanted`, or a folder in /var/lib/understudy if `user` may not pass through a parent of `wanted`,
 *   for example /root. The same `wanted` always gives the same folder
 */
export function reachableFolder(wanted: string, user: SystemUser | undefined): string {
  if (user === undefined || isReachable(wanted, user)) return wanted;
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  const folder = join('/var/lib/understudy', name);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  writeFileSync(join(folder, 'belongs-to'), `${wanted}\n`); // shows the purpose of the folder to a person who cleans up
  return folder;
}

/** @returns whether `user` may pass through all parents of `folder` */
export function isReachable(folder: string, user: SystemUser): boolean {
  for (let parent = dirname(folder); ; parent = dirname(parent)) {
    const stat = statSync(parent, { throwIfNoEntry: false });
    if (stat) {
      const bits =
        stat.uid === user.uid ? stat.mode >> 6 : stat.gid === user.gid ? stat.mode >> 3 : stat.mode;
      if ((bits & 1) === 0) return false;
    }
    if (parent === dirname(parent)) return true;
  }
}
