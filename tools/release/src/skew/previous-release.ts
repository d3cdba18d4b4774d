import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import type { ProgramFiles } from '@understudy/testing';

import { run } from '../run-program.js';
import { PROGRAMS, readManifest } from '../staging/stage-program.js';
import { installProgram } from '../verify/installed-programs.js';

/** The commit from which an upgrade is tested. A published release replaces it. */
export const PREVIOUS_RELEASE = '9dfed7032e26ab59cd72a19b3ca5b08bb79ac5f2';

const NODE = process.execPath;

/** The release at a commit, built and installed. */
export interface PreviousRelease {
  /** Its checkout, in which the clients of the release can run. */
  readonly source: string;
  readonly programs: ProgramFiles;
  /** The absolute path of the command `understudy`. */
  readonly commandLine: string;
}

/**
 * Returns the release at a commit. The first time, builds it with the tools and the lock file of that commit, and
 * installs its packages. The result stays in the cache of the user. After an interruption, all steps are repeated.
 * @param root a checkout whose history contains the commit
 * @throws Error if the commit is missing, or if a step fails
 */
export async function previousRelease(
  root: string,
  commit: string,
  log: (line: string) => void,
): Promise<PreviousRelease> {
  await checkHistory(root, commit);
  const folder = cacheOf(commit);
  const source = join(folder, 'source');
  const prefix = join(folder, 'installed');
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    log(`building the packages of ${short(commit)} in ${folder}, which takes minutes`);
    await checkOut(root, commit, source);
    await installPackages(source, join(folder, 'packages'), prefix);
    writeFileSync(complete, '');
  }
  const command = (name: string) => join(prefix, 'bin', name);
  const programs = { node: NODE, command: (name: string) => command(`understudy-${name}`) };
  return { source, programs, commandLine: command('understudy') };
}

/** Makes a repository of its own, because nothing may stay in the user's, and tools of a release read the commit. */
async function checkOut(root: string, commit: string, source: string): Promise<void> {
  mkdirSync(source, { recursive: true });
  await run('git', ['init', '--quiet'], { cwd: source });
  await run('git', ['fetch', '--quiet', '--depth=1', root, commit], { cwd: source });
  await run('git', ['checkout', '--quiet', '--force', '--detach', commit], { cwd: source });
}

async function installPackages(source: string, packages: string, prefix: string): Promise<void> {
  // npm must not take the checkout that runs this program for its own.
  const { npm_config_local_prefix: _, ...env } = process.env;
  await run(NODE, ['tools/run.mjs', 'release', '--out', packages], { cwd: source, env });
  const node = { version: process.versions.node, binFolder: dirname(NODE) };
  const { version } = readManifest(source);
  for (const program of PROGRAMS) await installProgram({ program, release: packages, version }, node, prefix);
}

/** @throws Error with the remedy, if the history of the checkout does not contain the commit */
export async function checkHistory(root: string, commit: string): Promise<void> {
  try {
    await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root });
  } catch (error) {
    throw new Error(`commit ${short(commit)} is not in this checkout: git fetch --unshallow`, {
      cause: error,
    });
  }
}

function short(commit: string): string {
  return commit.slice(0, 8);
}

function cacheOf(commit: string): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'understudy', 'releases', commit);
}
