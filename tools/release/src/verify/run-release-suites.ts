import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { ensureToolchains, RELEASE_TOOLCHAINS } from '@understudy/testing/provision';

/** The configuration of Jest that selects the suites which `npm test` leaves to a release. */
const CONFIG = 'tools/release/jest.config.mjs';

/**
 * Runs the suites that `npm test` leaves to a release. Their output goes to stderr. A missing program is an error, and
 * not a reason to skip a suite, so the programs that `npm test` does not install are installed first.
 * @param log receives a line for each step of an installation
 * @throws Error if a test failed
 */
export async function runReleaseSuites(root: string, log: (line: string) => void): Promise<void> {
  await ensureToolchains(RELEASE_TOOLCHAINS, log);
  const child = spawn(process.execPath, [join(root, 'tools/run.mjs'), 'test', '--config', CONFIG], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, UNDERSTUDY_REQUIRE_TOOLCHAINS: '1' },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('expected all suites of the release to pass; their output is above');
}
