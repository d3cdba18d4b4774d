import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { requireRoot } from './install-service.js';
import { removeRemains, ServiceError, setAccess } from './protected-files.js';
import { type Service, unitPath } from './service.js';
import { removeSystemUser } from './system-user.js';

/** The result of an uninstallation. Paths do not contain the root folder. */
export interface Uninstalled {
  readonly removed: readonly string[];
  /** Folders that are left. Only root can read them. */
  readonly left: readonly string[];
}

/**
 * Stops a service and removes its unit and its user. The configuration and the state stay, and belong to root. An
 * interrupted uninstallation can be repeated.
 * @param root root of the file system with the service; systemd is asked to stop the service only for `/`
 * @throws ServiceError if the process is not root or a step fails
 */
export function uninstallService(service: Service, root: string): Uninstalled {
  requireRoot(`${service.name} service uninstall`);
  const unit = unitPath(service, root);
  const removed: string[] = [];
  const left: string[] = [];
  if (exists(unit)) {
    if (root === '/' && isBooted()) systemctl('disable', '--now', `${service.name}.service`);
    rmSync(join(dirname(unit), 'multi-user.target.wants', `${service.name}.service`), { force: true });
    rmSync(unit);
    removed.push(unitPath(service, '/'));
    if (root === '/' && isBooted()) systemctl('daemon-reload');
  }
  if (exists(dirname(unit))) removeRemains(dirname(unit));
  if (exists(`${unit}.d`)) left.push(`${unitPath(service, '/')}.d`);
  // Another user may get the id of the removed user, so the folders must not be accessible to that id.
  for (const folder of [service.configFolder, service.stateFolder ?? []].flat()) {
    if (!exists(join(root, folder))) continue;
    setAccess(join(root, folder), { uid: 0, gid: 0, mode: 0o700 }, 'folder');
    left.push(folder);
  }
  if (removeSystemUser(service.user, root)) removed.push(`user ${service.user}`);
  return { removed, left };
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Returns whether systemd runs this machine, as sd_booted(3) does. */
function isBooted(): boolean {
  return existsSync('/run/systemd/system');
}

function systemctl(...args: readonly string[]): void {
  try {
    execFileSync('systemctl', args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 });
  } catch (error) {
    const reason = (error as { stderr?: Buffer }).stderr?.toString().trim().split('\n').at(-1) ?? '';
    throw new ServiceError(`systemctl ${args.join(' ')} failed: ${reason}. Correct the cause, then repeat.`);
  }
}
