import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import {
  type FileChange,
  giveStateFolder,
  makeFolder,
  protectFolder,
  removeRemains,
  ServiceError,
  writeProtectedFile,
} from './protected-files.js';
import { type Service, type ServiceProgram, unitPath } from './service.js';
import { createSystemUser, findSystemUser } from './system-user.js';
import { unitText } from './unit-text.js';

/** A file in the folder of the configuration. */
export interface NewFile {
  readonly name: string;
  /** The content can be a secret. */
  readonly content: string;
}

export interface InstallRequest {
  readonly program: ServiceProgram;
  /** Root of the file system to install into: `/`, or the folder of an image. */
  readonly root: string;
  /** Files of the configuration that are written unless they exist. */
  readonly files: readonly NewFile[];
}

/**
 * Installs a service: its user, the access of its files, and its unit. An interrupted installation can be repeated.
 * Existing files keep their content, except the unit.
 * @returns what was created, replaced and kept, in order
 * @throws ServiceError if the process is not root, the program cannot be read by the service, or a step fails
 */
export function installService(service: Service, { program, root, files }: InstallRequest): FileChange[] {
  requireRoot(`${service.name} service install`);
  if (root === '/') for (const file of Object.values(program)) requirePublicFile(file);
  const changes: FileChange[] = [];
  const record = (what: string, change: FileChange['change']): void => void changes.push({ what, change });

  const hadUser = findSystemUser(service.user, root) !== undefined;
  const ids = createSystemUser(service.user, service.stateFolder ?? '/', root);
  record(`user ${service.user}`, hadUser ? 'kept' : 'created');

  const configFolder = join(root, service.configFolder);
  const file = { uid: 0, gid: ids.gid, mode: 0o640 };
  makeFolder(configFolder);
  removeRemains(configFolder);
  const existing = protectFolder(configFolder, { folder: { ...file, mode: 0o750 }, file });
  for (const path of existing.sort())
    record(join(service.configFolder, relative(configFolder, path)), 'kept');
  for (const { name, content } of files) {
    if (existsIn(configFolder, name)) continue;
    writeProtectedFile(join(configFolder, name), content, file);
    record(join(service.configFolder, name), 'created');
  }

  if (service.stateFolder !== undefined) {
    const access = { ...ids, mode: 0o700 };
    record(service.stateFolder, giveStateFolder(join(root, service.stateFolder), access));
  }
  record(unitPath(service, '/'), writeUnit(unitPath(service, root), unitText(service, program)));
  return changes;
}

/** Returns the names in `names` that exist in the folder of the configuration. Needs the rights to read the folder. */
export function existingFiles(service: Service, root: string, names: readonly string[]): string[] {
  return names.filter((name) => existsIn(join(root, service.configFolder), name));
}

/** @throws ServiceError unless the process is root, because only root can create users and change owners */
export function requireRoot(command: string): void {
  if (process.getuid?.() !== 0)
    throw new ServiceError(
      `expected to run as root, because the command changes /etc and the users of this machine: sudo ${command}`,
    );
}

/** @throws ServiceError if the user of the service, whose home folders and /tmp are hidden, could not read the file */
function requirePublicFile(path: string): void {
  const target = realpathSync(path);
  const hidden = HIDDEN_FOLDERS.find((folder) => target.startsWith(folder));
  const remedy = 'install Node.js and the package for all users, for example below /usr/local';
  if (hidden !== undefined)
    throw new ServiceError(
      `the service cannot read ${target}, because it has no access to ${hidden}: ${remedy}`,
    );
  for (let folder = target; folder !== dirname(folder); folder = dirname(folder)) {
    const needed = folder === target ? 0o004 : 0o001;
    if ((statSync(folder).mode & needed) === 0)
      throw new ServiceError(
        `the service cannot read ${target}, because of the mode of ${folder}: ${remedy}`,
      );
  }
}

function existsIn(folder: string, name: string): boolean {
  return lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
}

function writeUnit(path: string, text: string): FileChange['change'] {
  makeFolder(dirname(path));
  removeRemains(dirname(path));
  const exists = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (exists && readFileSync(path, 'utf8') === text) return 'kept';
  writeProtectedFile(path, text, { uid: 0, gid: 0, mode: 0o644 });
  return exists ? 'replaced' : 'created';
}

/** The folders that ProtectHome= and PrivateTmp= hide from a service. */
const HIDDEN_FOLDERS = ['/home/', '/root/', '/run/user/', '/tmp/', '/var/tmp/'] as const;
