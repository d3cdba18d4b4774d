import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';
import { LocalSystemError, type PackagedName } from '@understudy/local-system';
import type { Toolchain } from './toolchains.js';

const run = promisify(execFile);

export type Provision = PackagedName | Toolchain;

/**
 * The packages of each service, without their dependencies. Each inner list has alternative names of one
 * package. The first name that the distribution has is used.
 */
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
  'python-client': [
    ...[['python3-httpx'], ['python3-pytest'], ['python3-pytest-asyncio'], ['mypy']],
    ...[['python3-pip'], ['python3-setuptools'], ['python3-wheel']],
  ],
  'php-client': [
    ...[['php-cli'], ['php-curl'], ['php-mbstring'], ['php-xml'], ['phpunit'], ['composer']],
    ...[['php-guzzlehttp-guzzle'], ['php-nyholm-psr7']],
  ],
  'go-iterators': [['golang-1.26-go', 'golang-1.25-go', 'golang-1.24-go', 'golang-1.23-go']],
  chromium: [['chromium-headless-shell', 'chromium', 'chromium-browser']],
  systemd: [['systemd']],
  'helm-charts': [
    ...[['golang-go'], ['golang-github-masterminds-sprig-dev'], ['golang-gopkg-yaml.v3-dev'], ['yamllint']],
  ],
  machines: [['mmdebstrap'], ['systemd-container']],
  containers: [['aardvark-dns'], ['buildah'], ['docker-compose'], ['netavark'], ['podman'], ['runc']],
  networks: [['iproute2'], ['iptables'], ['tcpdump'], ['nginx'], ['openssl'], ['curl']],
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
 * Finds the packages of a service in apt's lists.
 * @param aptOptions options with the folder of the lists; empty for the lists of the system
 * @returns undefined if a package is not in the lists, which is also the case if there are no lists
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

/**
 * Runs an apt program without prompts.
 * @param what the action for the error message, such as `read the package lists`
 * @throws LocalSystemError with the end of the output
 */
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
    const output = (stderr?.trim() || stdout?.trim() || String(cause)).split('\n').slice(-12).join('\n');
    throw new LocalSystemError(
      'binaries.download_failed',
      `${program} could not ${what}:\n${output}`,
      undefined,
      {
        cause,
      },
    );
  }
}

function aptEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
}
