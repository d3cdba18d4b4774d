import { isRoot } from '../processes/system-user.js';
import { isDebian } from './debian-packages.js';
import { installPackages } from './install-packages.js';
import { withInstallLock } from './install-lock.js';
import { findToolchain, TOOLCHAINS, type Toolchain } from './toolchains.js';

/**
 * Gets the languages and servers that only tests run: on Debian and its kin root installs the packages. Nothing of the
 * product needs them, so what cannot be had is only said: its tests are skipped.
 */
export async function ensureToolchains(say: (line: string) => void): Promise<void> {
  const missing = (): Toolchain[] => TOOLCHAINS.filter((name) => findToolchain(name) === undefined);
  if (missing().length > 0 && isDebian() && isRoot()) {
    await withInstallLock(say, async () => {
      const wanted = missing(); // another process may have got them while we waited
      if (wanted.length === 0) return;
      say(`installing ${wanted.join(', ')} with apt-get, for tests`);
      // One by one: a distribution may have one and not the other.
      for (const name of wanted)
        await installPackages([name]).catch((error: unknown) => say(`${name}: ${String(error)}`));
    });
  }
  for (const name of missing()) say(`there is no ${name} on this machine: what is tested with it is skipped`);
}
