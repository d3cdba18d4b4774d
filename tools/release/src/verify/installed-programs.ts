import { lstatSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import type { ProgramFiles } from '@understudy/testing';

import { run } from '../run-program.js';
import { filesIn, readManifest, type Program } from '../staging/stage-program.js';
import type { NodeRelease } from './node-versions.js';

/** A program that npm has installed. */
export interface InstalledProgram {
  readonly program: Program;
  readonly seconds: number;
  /** The bytes of all of its files. */
  readonly size: number;
  /** The absolute path of the command. */
  readonly command: string;
}

/**
 * Installs the tarball of a program for all users of a prefix. npm runs with the given Node.js, without a registry and
 * with an empty cache.
 * @param release the folder of the release
 */
export async function installProgram(
  {
    program,
    release,
    version,
  }: { readonly program: Program; readonly release: string; readonly version: string },
  node: NodeRelease,
  prefix: string,
): Promise<InstalledProgram> {
  mkdirSync(prefix, { recursive: true });
  const started = performance.now();
  const options = ['--offline', '--no-update-notifier', '--cache', join(prefix, 'cache'), '--prefix', prefix];
  await run('npm', ['install', '--global', ...options, join(release, `${program.name}-${version}.tgz`)], {
    env: withNode(node),
  });
  const seconds = (performance.now() - started) / 1000;
  const folder = join(prefix, 'lib/node_modules/@understudy', program.folder.replace('apps/', ''));
  const size = filesIn(folder).reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0);
  const [name = ''] = Object.keys(readManifest(folder)['bin'] as Record<string, string>);
  return { program, seconds, size, command: join(prefix, 'bin', name) };
}

/** Returns the commands of the server and the agent for a test system. */
export function programFiles(installed: readonly InstalledProgram[], node: NodeRelease): ProgramFiles {
  return {
    node: join(node.binFolder, 'node'),
    command: (name) => {
      const found = installed.find(({ program }) => program.folder === `apps/${name}`);
      if (found === undefined) throw new Error(`expected an installed ${name}`);
      return found.command;
    },
  };
}

/** Returns the environment in which `node` is the given Node.js. */
export function withNode({ binFolder }: NodeRelease): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${binFolder}${delimiter}${process.env['PATH'] ?? ''}` };
}
