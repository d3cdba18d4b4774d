import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  LocalSystemError,
  packageCache,
  type PackagedName,
  unpackedPackages,
} from '@understudy/local-system';
import { apt, packagesOf } from './debian-packages.js';

/**
 * Downloads a service's packages as an ordinary user, with all dependencies that are not installed, and
 * unpacks them into the cache. The cache folder of the service appears only when it is complete. apt verifies
 * the signatures of the package archive as usual.
 */
export async function downloadPackages(service: PackagedName): Promise<void> {
  const aptOptions = await listsFor(service);
  const named = await packagesOf(service, aptOptions);
  if (!named)
    throw new LocalSystemError('binaries.missing', `apt has no package for ${service} on this distribution`);
  const { folder } = unpackedPackages(service);
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}.`);
  try {
    const archives = join(draft, 'archives');
    const root = join(draft, 'root');
    for (const path of [archives, root]) mkdirSync(path);
    const packages = [...new Set([...named, ...(await notInstalled(named, aptOptions))])];
    await apt('download packages', 'apt-get', [...aptOptions, 'download', ...packages], archives);
    for (const archive of readdirSync(archives))
      await apt('unpack a package', 'dpkg', ['-x', join(archives, archive), root]);
    rmSync(folder, { recursive: true, force: true });
    renameSync(root, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Lists the packages that apt would install. Runs apt only as a simulation, which needs no privileges. */
async function notInstalled(packages: readonly string[], aptOptions: readonly string[]): Promise<string[]> {
  const args = [...aptOptions, '-s', 'install', '--no-install-recommends', ...packages];
  const plan = await apt('list the dependencies of the packages', 'apt-get', args);
  return [...plan.matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? []);
}

/**
 * If the package lists of the system lack the service, downloads private lists, which needs no privileges.
 * @returns the options with which apt uses the private lists; empty if the lists of the system are used
 */
async function listsFor(service: PackagedName): Promise<string[]> {
  if (await packagesOf(service, [])) return [];
  const ownApt = join(packageCache(), 'apt');
  for (const path of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(ownApt, path), { recursive: true });
  const options = [
    '-o',
    `Dir::State::Lists=${join(ownApt, 'lists')}`,
    '-o',
    `Dir::Cache=${join(ownApt, 'cache')}`,
  ];
  await apt('read the package lists', 'apt-get', [...options, 'update']);
  return options;
}
