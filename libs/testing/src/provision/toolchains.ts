import { execFileSync } from 'node:child_process';

/**
 * Programs that only `npm test` needs: languages of the examples in the documentation, Swift (an S3 server), and a
 * browser. With `networks`, tests build networks of their own. A name with `-client` includes the libraries that the
 * tests of a client need.
 */
export const TOOLCHAINS = [
  'python',
  'php',
  'go',
  'swift',
  'networks',
  'python-client',
  'php-client',
  'go-iterators',
  'chromium',
  'systemd',
  'helm-charts',
] as const;
/** Programs of suites that `npm test` leaves out. Only `npm run release -- --verify` installs them. */
export const RELEASE_TOOLCHAINS = ['machines', 'containers'] as const;
export type Toolchain = (typeof TOOLCHAINS)[number] | (typeof RELEASE_TOOLCHAINS)[number];

/** Exits with 0 if Debian's Python has the packages with which the client in Python is built and tested. */
const PYTHON_CLIENT = `
import sys
from importlib.util import find_spec
names = 'httpx', 'mypy', 'pip', 'pytest', 'pytest_asyncio', 'setuptools', 'wheel'
sys.exit(any(find_spec(name) is None for name in names))`;

/** Exits with 0 if Debian's Python has Swift with its S3 API. To import it would need a second of CPU time. */
const SWIFT = `
import sys
from importlib.util import find_spec
from os.path import exists, join
found = find_spec('swift')
folders = found.submodule_search_locations if found else []
sys.exit(not any(exists(join(folder, 'common/middleware/s3api')) for folder in folders))`;

/** Exits with 0 if PHP has the extensions, the programs and the libraries with which the client in PHP is tested. */
const PHP_CLIENT = `
  foreach (['curl', 'dom', 'json', 'mbstring'] as $name) extension_loaded($name) || exit(1);
  foreach (['bin/composer', 'bin/phpunit', 'share/php/GuzzleHttp/autoload.php', 'share/php/Nyholm/Psr7/Response.php']
    as $file) is_file("/usr/$file") || exit(1);`;

/** Prints the first go program of version 1.23 or newer. */
const NEWEST_GO =
  'for go in go /usr/lib/go-1.*/bin/go; do $go version 2>/dev/null | grep -Eq "go1[.](2[3-9]|[3-9][0-9])" && echo "$go" && exit; done; exit 1';

/** Prints the path of the browser. Its name depends on the distribution. The headless build needs a quarter less CPU. */
const CHROMIUM =
  'for name in chromium-headless-shell chromium chromium-browser google-chrome; do command -v "$name" && exit; done; exit 1';

/** Renders the Helm charts with Debian's package of Sprig, and checks their YAML. */
const HELM_CHARTS =
  'cd /usr/share/gocode/src && [ -d github.com/Masterminds/sprig ] && [ -d gopkg.in/yaml.v3 ] && go version && yamllint --version';

const PROGRAMS: Record<Toolchain, readonly [string, ...string[]]> = {
  python: ['python3', '--version'],
  php: ['php', '--version'],
  go: ['go', 'version'],
  // Debian's packages are installed for Debian's own Python, which may not be the first on PATH.
  swift: ['/usr/bin/python3', '-c', SWIFT],
  // An ordinary user's PATH lacks the sbin folders. The words of -c are checked one by one.
  networks: [
    'sh',
    '-c',
    'PATH="$PATH:/usr/sbin:/sbin"; for p in ip ss iptables tcpdump nginx openssl curl; do command -v $p || exit 1; done',
  ],
  'python-client': ['/usr/bin/python3', '-c', PYTHON_CLIENT],
  'php-client': ['php', '-r', PHP_CLIENT],
  // Go 1.23 or newer, of which the iterators of the client in Go are a part.
  'go-iterators': ['sh', '-c', NEWEST_GO],
  chromium: ['sh', '-c', CHROMIUM],
  // Checks units. Nothing is started.
  systemd: ['systemd-analyze', '--version'],
  'helm-charts': ['sh', '-c', HELM_CHARTS],
  // Makes root file systems of Debian machines, and boots them.
  machines: ['sh', '-c', 'mmdebstrap --version && systemd-nspawn --version && nsenter --version'],
  // docker-compose 1.29 uses podman through its service.
  containers: [
    'sh',
    '-c',
    'for p in buildah podman docker-compose runc /usr/lib/podman/netavark /usr/lib/podman/aardvark-dns; do command -v $p || exit 1; done',
  ],
};

/** Allows for a busy machine. */
const SEARCH_MS = 120_000;

/**
 * @returns the command that starts the program, or undefined if it does not run. For swift, the command is
 *   the Python that has the swift package; for networks and chromium, it is the shell
 */
export function findToolchain(toolchain: Toolchain): string | undefined {
  const [program, ...args] = PROGRAMS[toolchain];
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: SEARCH_MS });
    return program;
  } catch {
    return undefined; // the program does not exist
  }
}

/** @returns the path of Chromium, or undefined if there is none */
export function findChromium(): string | undefined {
  if (findToolchain('chromium') === undefined) return undefined;
  return execFileSync('sh', ['-c', CHROMIUM], { encoding: 'utf8' }).trim();
}

/** @returns a go program of version 1.23 or newer, or undefined if there is none */
export function findNewestGo(): string | undefined {
  if (findToolchain('go-iterators') === undefined) return undefined;
  return execFileSync('sh', ['-c', NEWEST_GO], { encoding: 'utf8' }).trim();
}
