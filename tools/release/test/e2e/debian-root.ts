import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The programs that docs/guides/install.md expects on the two machines, apart from Node.js and npm. */
const PACKAGES = [
  'ca-certificates',
  'curl',
  'nats-server',
  'nginx-light',
  'openssl',
  'postgresql',
  'postgresql-client',
  'redis-server',
];
const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];

/**
 * Makes the root file system of a new Debian machine: a minimal installation with the packages of the guide, without
 * Node.js. Takes about 45 s, mostly for the download.
 */
export async function makeDebianRoot(folder: string): Promise<void> {
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const sources = SOURCES.find((path) => existsSync(path));
  if (release === undefined || sources === undefined) throw new Error('expected a Debian machine with apt');
  const options = ['--variant=minbase', `--include=${PACKAGES.join(',')}`, '--quiet'];
  await run('mmdebstrap', [...options, release, folder, sources], { maxBuffer: 64 << 20 });
}

/**
 * Makes a folder with Node.js and npm, as an installation in /usr/local has them.
 * @param node the program, for example `process.execPath`
 */
export function makeNodeLayer(folder: string, node: string): void {
  const bin = join(folder, 'usr/local/bin');
  const npm = join(folder, 'usr/local/lib/node_modules/npm');
  mkdirSync(bin, { recursive: true });
  cpSync(node, join(bin, 'node'));
  cpSync(npmFolder(), npm, { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name));
}

function npmFolder(): string {
  const global = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  const beside = process.env['npm_execpath'];
  return beside === undefined ? join(global, 'npm') : dirname(dirname(beside));
}
