import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { ownManifest, programManifest, thirdPartyManifest, type Manifest } from './package-manifest.js';
import { placePackages, requiredPeers, type LockedPackages, type PlacedPackage } from './package-layout.js';

/** A program that users install. */
export interface Program {
  /** The folder in the checkout, such as `apps/agent`. */
  readonly folder: string;
  /** The first part of the names of its files, such as `understudy-agent`. */
  readonly name: string;
  /** The systems on which npm installs it, if it contains compiled code. */
  readonly platform: {
    readonly os?: readonly string[];
    readonly cpu?: readonly string[];
    readonly libc?: readonly string[];
  };
}

const COMPILED = { os: ['linux'], cpu: ['x64', 'arm64'], libc: ['glibc'] };

export const PROGRAMS: readonly Program[] = [
  { folder: 'apps/cli', name: 'understudy-cli', platform: {} },
  { folder: 'apps/agent', name: 'understudy-agent', platform: COMPILED },
  { folder: 'apps/control-plane', name: 'understudy-control-plane', platform: {} },
];

/** A folder that contains a program and everything that it needs at run time. */
export interface StagedProgram {
  readonly program: Program;
  /** The version of the package. */
  readonly version: string;
  /** An absolute path. */
  readonly folder: string;
  readonly packages: readonly PlacedPackage[];
}

/** TypeScript and maps, which Node.js does not run. */
const NOT_RUN = /\.([cm]?tsx?|map|tsbuildinfo)$/;
/** Folders at the top of packages of npm that are for their developers. */
const DEVELOPMENT = /^(tests?|__tests__|benchmarks?|examples?|\.github)$/;
const PREBUILD = /\/prebuilds\/([^/]+)(\/|$)/;
const PREBUILDS = ['linux-x64', 'linux-arm64'];

/**
 * Writes the files of a program into an empty folder. It reads only the checkout, which must be installed and built.
 * @throws Error if a package is not installed or not built
 */
export function stageProgram(root: string, program: Program, folder: string): StagedProgram {
  const lock = readJson(join(root, 'package-lock.json'))['packages'] as LockedPackages;
  const packages = placePackages(lock, program.folder);
  for (const { from, to } of packages) {
    const own = !from.startsWith('node_modules/') && !from.includes('/node_modules/');
    if (own) stageOwn(join(root, from), join(folder, to));
    else stageThirdParty(join(root, from), join(folder, to));
  }
  const manifest = readManifest(join(root, program.folder));
  const { engines } = readJson(join(root, 'package.json'));
  const peers = peersIn(lock, packages);
  writeManifest(folder, programManifest(manifest, { engines, platform: program.platform, peers }));
  for (const name of ['LICENSE', 'NOTICE']) cpSync(join(root, name), join(folder, name));
  return { program, version: manifest.version, folder, packages };
}

/** Returns the versions of the packages that others need as peers, by name. They are at the top of the tarball. */
function peersIn(lock: LockedPackages, packages: readonly PlacedPackage[]): Record<string, string> {
  const names = new Set(packages.flatMap(({ from }) => requiredPeers(lock[from] ?? {})));
  return Object.fromEntries(
    packages.flatMap(({ from, to }) => {
      const name = to.replace(/^node_modules\//, '');
      return names.has(name) ? [[name, lock[from]?.version ?? '']] : [];
    }),
  );
}

function stageOwn(from: string, to: string): void {
  const manifest = readManifest(from);
  for (const name of manifest.files ?? ['dist']) {
    if (!existsSync(join(from, name)))
      throw new Error(`${join(from, name)}: expected built files, found none; run npm run build`);
    copy(join(from, name), join(to, name), (file) => !NOT_RUN.test(file) && !isStale(from, file));
  }
  writeManifest(to, ownManifest(manifest));
}

/** A built file without a source is left from an earlier version of the source. */
function isStale(packageFolder: string, file: string): boolean {
  const path = relative(packageFolder, file);
  const isCompiled = path.startsWith('dist/') && !/^dist\/(site|bundle)\//.test(path) && path.endsWith('.js');
  if (!isCompiled) return false;
  return !existsSync(join(packageFolder, path.replace(/^dist/, 'src').replace(/js$/, 'ts')));
}

function stageThirdParty(from: string, to: string): void {
  if (!existsSync(from))
    throw new Error(`${from}: expected an installed package, found none; run npm install`);
  copy(from, to, (file) => {
    const prebuild = PREBUILD.exec(file)?.[1];
    const path = relative(from, file);
    return (
      path !== 'node_modules' &&
      !DEVELOPMENT.test(path) &&
      !NOT_RUN.test(file) &&
      (prebuild === undefined || PREBUILDS.includes(prebuild))
    );
  });
  writeManifest(to, thirdPartyManifest(readManifest(from)));
}

function copy(from: string, to: string, filter: (file: string) => boolean): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, filter, dereference: true });
}

/** @returns the paths of all files in a folder, relative to it, in a fixed order */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

export function readManifest(folder: string): Manifest {
  return readJson(join(folder, 'package.json')) as Manifest;
}

function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}
