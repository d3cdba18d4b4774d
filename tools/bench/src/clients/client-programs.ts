import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { findToolchain, type Toolchain } from '@understudy/testing/provision';

import { log } from '../bench-environment.js';

/** The command of a program. It runs in the root of the repository. */
export type Command = readonly [string, ...string[]];

/** The programs of one client. */
export interface ClientPrograms {
  readonly name: string;
  /** The player, which carries out calls of the client (`clients/scenarios/README.md`). */
  readonly player: Command;
  /** A program in the same language without the client. Its last argument is the URL of the records. */
  readonly plain: Command;
}

export const ROOT = join(import.meta.dirname, '../../../..');
const PLAIN = 'tools/bench/assets/plain-readers';
/** Debian's own Python, because only this one has Debian's packages. */
const PYTHON = '/usr/bin/python3';
const GO_SETTINGS = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' };

/**
 * Returns the programs of all clients whose language is on this machine, and logs the others. Builds the
 * programs in Go.
 * @param folder an empty folder for the built programs
 */
export function clientPrograms(folder: string): readonly ClientPrograms[] {
  const python = [PYTHON, 'clients/python/tests/player.py'] as const;
  const programs: ClientPrograms[] = [
    {
      name: 'typescript',
      player: [process.execPath, 'clients/typescript/test/player.mjs'],
      plain: [process.execPath, `${PLAIN}/plain.mjs`],
    },
  ];
  if (has('python-client')) {
    const plain = [PYTHON, `${PLAIN}/plain.py`] as const;
    programs.push({ name: 'python', player: python, plain });
    programs.push({ name: 'python async', player: [...python, '--async'], plain });
  }
  if (has('php-client'))
    programs.push({
      name: 'php',
      player: ['php', 'clients/php/tests/player.php'],
      plain: ['php', `${PLAIN}/plain.php`],
    });
  if (has('go')) programs.push({ name: 'go', ...goPrograms(folder) });
  return programs;
}

function has(toolchain: Toolchain): boolean {
  const found = findToolchain(toolchain) !== undefined;
  if (!found) log(`"${toolchain}" is not on this machine, so its client is not measured`);
  return found;
}

function goPrograms(folder: string): { player: Command; plain: Command } {
  log('building the programs in Go');
  const [player, plain] = [join(folder, 'player'), join(folder, 'plain')];
  build(join(ROOT, 'clients/go'), player, './internal/player');
  build(join(ROOT, PLAIN), plain, 'plain.go');
  return { player: [player], plain: [plain] };
}

function build(cwd: string, program: string, source: string): void {
  execFileSync('go', ['build', '-o', program, source], {
    cwd,
    env: { ...process.env, ...GO_SETTINGS },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
