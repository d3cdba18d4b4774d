import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';
import { StackError } from '../stack-error.js';
import type { PackagedName } from './service-binaries.js';
import type { Toolchain } from './toolchains.js';

const run = promisify(execFile);

export type Provision = PackagedName | Toolchain;

/** What each needs besides its dependencies; of several names the first that the distribution has. */
const PACKAGES: Record<Provision, readonly (readonly string[])[]> = {
  postgres: [
    ['postgresql-15', 'postgresql-16', 'postgresql-17', 'postgresql-14'],
    ['postgresql-client-15', 'postgresql-client-16', 'postgresql-client-17', 'postgresql-client-14'],
  ],
  redis: [['redis-server'], ['redis-tools']],
  nats: [['nats-server']],
  pgcopydb: [['pgcopydb']],
  python: [['python3']],
  php: [['php-cli']],
  go: [['golang-go']],
  swift: [['python3-swift']],
};

export function isDebian(): boolean {
  return ['/usr/bin/apt-get', '/usr/bin/dpkg'].every((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * @param aptOptions where apt keeps its lists, when not in the system's place
 * @returns names of packages the lists know; undefined when one is not there, which lists that are missing look like too
 */
export async function packagesOf(
  service: Provision,
  aptOptions: readonly string[],
): Promise<string[] | undefined> {
  const known = await knownAmong(PACKAGES[service].flat(), aptOptions);
  const chosen = PACKAGES[service].flatMap((names) => names.find((name) => known.has(name)) ?? []);
  return chosen.length === PACKAGES[service].length ? chosen : undefined;
}

async function knownAmong(names: readonly string[], aptOptions: readonly string[]): Promise<Set<string>> {
  const { stdout } = await run('apt-cache', [...aptOptions, 'policy', ...names], { env: aptEnvironment() });
  const candidates = stdout.matchAll(/^(\S+):\n {2}Installed: .*\n {2}Candidate: (?!\(none\))/gm);
  return new Set([...candidates].flatMap(([, name]) => name ?? []));
}

/** Runs apt without questions. @param what for the message: `read the package lists`  @throws StackError with the end of what it said */
export async function apt(
  what: string,
  program: string,
  args: readonly string[],
  cwd = '/',
): Promise<string> {
  try {
    const options = { env: aptEnvironment(), cwd, maxBuffer: 64 * 2 ** 20 };
    return (await run(program, args, options)).stdout;
  } catch (cause) {
    const { stderr, stdout } = cause as { stderr?: string; stdout?: string };
    const said = (stderr?.trim() || stdout?.trim() || String(cause)).split('\n').slice(-12).join('\n');
    throw new StackError('binaries.download_failed', `${program} could not ${what}:\n${said}`, undefined, {
      cause,
    });
  }
}

function aptEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
}
