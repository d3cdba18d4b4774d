import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { LocalSystemError } from '@understudy/local-system';
import { apt, packagesOf, type Provision } from './debian-packages.js';

const POLICY = '/usr/sbin/policy-rc.d';
const WAIT_FOR_LOCK = ['-o', 'DPkg::Lock::Timeout=300'];

/**
 * Installs the distribution's packages for `services` without starting their system services. Only root can
 * install them.
 */
export async function installPackages(services: readonly Provision[]): Promise<void> {
  let packages = await allPackages(services);
  if (packages) {
    try {
      return await install(packages);
    } catch {
      // Outdated package lists name files that no longer exist. Reads the lists again and repeats the
      // installation once.
    }
  }
  await apt('read the package lists', 'apt-get', [...WAIT_FOR_LOCK, 'update']);
  packages = await allPackages(services);
  if (!packages)
    throw new LocalSystemError(
      'binaries.missing',
      `apt has no package for ${services.join(', ')} on this distribution`,
    );
  await install(packages);
}

async function allPackages(services: readonly Provision[]): Promise<string[] | undefined> {
  const found = await Promise.all(services.map((service) => packagesOf(service, [])));
  return found.every((names) => names !== undefined) ? found.flatMap((names) => names ?? []) : undefined;
}

async function install(packages: readonly string[]): Promise<void> {
  const denyStart = !existsSync(POLICY);
  if (denyStart) {
    // invoke-rc.d runs this program, and exit code 101 means that the service must not be started (Debian
    // policy, invoke-rc.d).
    writeFileSync(POLICY, '#!/bin/sh\nexit 101\n');
    chmodSync(POLICY, 0o755);
  }
  try {
    await apt(`install ${packages.join(' ')}`, 'apt-get', [
      ...WAIT_FOR_LOCK,
      'install',
      '-y',
      '--no-install-recommends',
      '--no-remove', // Docker's own packages, for example, conflict with Debian's runc
      ...packages,
    ]);
  } finally {
    if (denyStart) rmSync(POLICY, { force: true });
  }
}
