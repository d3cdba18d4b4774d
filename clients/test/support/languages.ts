import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Toolchain } from '@understudy/testing';

/** The root of the repository. The players run in it. */
export const ROOT = join(import.meta.dirname, '../../..');

/** A client, in one of the forms in which a program can use it. */
export interface ClientVariant {
  /** For example `Python` or `Python (async)`. */
  readonly name: string;
  readonly language: 'typescript' | 'python' | 'php' | 'go';
  readonly toolchain?: Toolchain;
  /**
   * Returns the program and the arguments that start the player. The working folder is the root of the repository.
   * @param authority path of the certificate of an authority that the player trusts
   */
  command(authority?: string): readonly [string, ...string[]];
}

const PLAYERS = {
  typescript: 'clients/typescript/test/player.mjs',
  python: 'clients/python/tests/player.py',
  php: 'clients/php/tests/player.php',
};

/** PHP reads no environment variable with authorities, so the player gets a setting. */
function php(authority: string | undefined, ...args: string[]): readonly [string, ...string[]] {
  return ['php', ...(authority ? ['-d', `curl.cainfo=${authority}`] : []), PLAYERS.php, ...args];
}

export const VARIANTS: readonly ClientVariant[] = [
  { name: 'TypeScript', language: 'typescript', command: () => [process.execPath, PLAYERS.typescript] },
  {
    name: 'Python',
    language: 'python',
    toolchain: 'python-client',
    command: () => ['/usr/bin/python3', PLAYERS.python],
  },
  {
    name: 'Python (async)',
    language: 'python',
    toolchain: 'python-client',
    command: () => ['/usr/bin/python3', PLAYERS.python, '--async'],
  },
  {
    name: 'PHP',
    language: 'php',
    toolchain: 'php-client',
    command: (authority) => php(authority),
  },
  {
    name: 'PHP (PSR-18)',
    language: 'php',
    toolchain: 'php-client',
    command: (authority) => php(authority, '--psr18'),
  },
  { name: 'Go', language: 'go', toolchain: 'go', command: () => [goPlayer()] },
];

/** Returns the first client of each language that is in the list. */
export function firstOfEachLanguage(variants: readonly ClientVariant[]): ClientVariant[] {
  return variants.filter(
    ({ language }, index) => variants.findIndex((other) => other.language === language) === index,
  );
}

/** The settings with which the tests run the go program. It downloads nothing. */
export const GO_ENVIRONMENT = {
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  GO111MODULE: 'on',
};

/** All runs of mypy share a cache, because each reads the types of httpx and of the standard library. */
export const MYPY_CACHE_DIR = join(ROOT, '.nx/mypy');

let built: string | undefined;

/** Builds the player in Go, once in each process. The folder of a test run is deleted when the run ends. */
function goPlayer(): string {
  built ??= join(
    mkdtempSync(join(process.env['UNDERSTUDY_TEST_SHARED'] ?? tmpdir(), 'go-player-')),
    'player',
  );
  if (existsSync(built)) return built;
  const options = {
    cwd: join(ROOT, 'clients/go'),
    stdio: 'pipe',
    env: { ...process.env, ...GO_ENVIRONMENT },
  } as const;
  execFileSync('go', ['build', '-o', built, './internal/player'], options);
  return built;
}
