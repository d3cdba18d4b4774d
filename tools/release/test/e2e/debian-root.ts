import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { packageCache } from '@understudy/local-system';

const run = promisify(execFile);

/**
 * The programs that docs/guides/install.md expects on the two machines, apart from Node.js and npm. An ordinary
 * installation of Debian has systemd, dbus and procps.
 */
const PACKAGES = [
  'ca-certificates',
  'curl',
  'dbus',
  'nats-server',
  'nginx-light',
  'openssl',
  'postgresql',
  'postgresql-client',
  'procps',
  'redis-server',
  'systemd',
  'systemd-sysv',
];
const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];

/**
 * Makes the root file system of a new Debian machine: a minimal installation with the packages of the guide, without
 * Node.js. The first call keeps an archive of it in the cache. Delete that file to get newer packages.
 * @param folder a folder that does not exist, in a fast file system
 */
export async function makeDebianRoot(folder: string): Promise<void> {
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const sources = SOURCES.find((path) => existsSync(path));
  if (release === undefined || sources === undefined) throw new Error('expected a Debian machine with apt');
  const options = ['--variant=minbase', `--include=${PACKAGES.join(',')}`, '--quiet'];
  const version = createHash('sha256').update(options.join(' ')).digest('hex').slice(0, 12);
  const archive = join(packageCache(), `machine-${release}-${version}.tar`);
  if (!existsSync(archive)) {
    mkdirSync(packageCache(), { recursive: true });
    const draft = `${archive}.${process.pid}`;
    await run('mmdebstrap', [...options, '--format=tar', release, draft, sources], {
      env: { ...process.env, TMPDIR: dirname(folder) },
      maxBuffer: 64 << 20,
    });
    renameSync(draft, archive);
  }
  mkdirSync(folder);
  const unpack = ['--extract', '--file', archive, '--directory', folder];
  await run('tar', [...unpack, '--numeric-owner', '--exclude=./dev/*']);
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
