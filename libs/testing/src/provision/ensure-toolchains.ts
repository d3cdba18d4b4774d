import { isRoot } from '@understudy/local-system';
import { isDebian, packagesOf } from './debian-packages.js';
import { installPackages } from './install-packages.js';
import { withInstallLock } from './install-lock.js';
import { findToolchain, type Toolchain } from './toolchains.js';

/** Only some versions of a distribution have these, so apt reads no package lists to find them. */
const OPTIONAL: ReadonlySet<Toolchain> = new Set(['go-iterators']);

/**
 * Installs the languages and servers that only tests need, if this process runs as root on Debian or a
 * derivative. The product does not need them, so a missing one is only reported, and its tests are skipped.
 */
export async function ensureToolchains(
  toolchains: readonly Toolchain[],
  log: (line: string) => void,
): Promise<void> {
  const missing = (): Toolchain[] => toolchains.filter((name) => findToolchain(name) === undefined);
  let lacking = missing();
  if ((await installable(lacking)).length > 0 && isRoot()) {
    await withInstallLock(log, async () => {
      const wanted = await installable(missing()); // another process may have installed them while this one waited
      if (wanted.length === 0) return;
      log(`installing ${wanted.join(', ')} with apt-get, for tests`);
      // Installs the toolchains one by one, because a distribution may have only some of them.
      for (const name of wanted)
        await installPackages([name]).catch((error: unknown) => log(`${name}: ${String(error)}`));
    });
    lacking = missing();
  }
  for (const name of lacking) log(`${name} is not available on this machine: its tests are skipped`);
}

/** Removes the optional toolchains that are not in apt's lists. */
async function installable(names: readonly Toolchain[]): Promise<Toolchain[]> {
  if (!isDebian()) return [];
  const found = await Promise.all(
    names.map(async (name) => !OPTIONAL.has(name) || (await packagesOf(name, [])) !== undefined),
  );
  return names.filter((_, index) => found[index]);
}
