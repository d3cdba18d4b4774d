import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The smallest number of lines in a file, including blank lines and comments. */
const MIN_LINES = 20;
/** The largest number of files in a folder, without spec files. */
const MAX_FILES = 15;

/**
 * Matches files that contain one entity, migration or similar definition each, and the queries and texts of a screen.
 * These files may be short.
 */
const SIMILAR_THINGS: readonly RegExp[] = [
  /\.(sql|dto|query|entity|module)\.ts$/,
  /\/migrations\//,
  /^apps\/dashboard\/src\/[\w-]+\/(queries|texts)\.tsx?$/,
  /^libs\/generator\/src\/types\//,
];

const LEFT_OUT = /(^|\/)(generated|dist|node_modules)\/|\.spec\.ts$|\.d\.ts$/;

/** Allows one short file, or one folder with many files. */
export interface LayoutException {
  readonly path: string;
  readonly reason: string;
}

/** The allowed exceptions. An exception that is not needed is a fault. */
export const LAYOUT_EXCEPTIONS: readonly LayoutException[] = [
  {
    path: 'apps/agent/src/print-variables.ts',
    reason: 'a program that prints a part of docs/reference: no project imports an app',
  },
  { path: 'apps/cli/src/generate/threads/row-thread.ts', reason: 'the program of a worker thread' },
  {
    path: 'apps/cli/src/print-manual.ts',
    reason: 'a program that writes docs/reference/cli.md: no project imports an app',
  },
  {
    path: 'apps/control-plane/src/cli.ts',
    reason: 'the program that npm installs; tests run its commands in their own process',
  },
  {
    path: 'libs/postgres/src/config/environment.ts',
    reason: 'the only file of its library that may read process.env',
  },
  {
    path: 'libs/sync-engine/src/copy/threads/masking-thread-entry.ts',
    reason: 'the program of a worker thread',
  },
  { path: 'tools/bench/src/generate/scaling-thread.ts', reason: 'the program of a worker thread' },
  { path: 'tools/faults/src/system/shift-clock.ts', reason: 'preloaded into a process with node --import' },
];

/**
 * Checks that no source file is too short and no source folder has too many files.
 * @returns the numbers of files and exceptions
 * @throws Error with one line for each fault
 */
export function sourceFilesHold(root: string, exceptions = LAYOUT_EXCEPTIONS): string {
  const files = sourceFolders(root).flatMap((folder) => filesUnder(root, folder));
  if (files.length === 0) throw new Error(`${root}: expected source files, found none`);
  const faults = [...shortFiles(root, files), ...fullFolders(files)];
  const allowed = new Set(exceptions.map(({ path }) => path));
  const found = new Set(faults.map(({ path }) => path));
  const wrong = [
    ...faults.filter(({ path }) => !allowed.has(path)).map(({ path, fault }) => `${path}: ${fault}`),
    ...[...allowed]
      .filter((path) => !found.has(path))
      .map((path) => `${path}: the exception is not needed; remove it`),
  ];
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return `${files.length} files, ${allowed.size} exceptions`;
}

interface LayoutFault {
  readonly path: string;
  readonly fault: string;
}

function shortFiles(root: string, files: readonly string[]): LayoutFault[] {
  return files
    .filter((file) => !file.endsWith('/index.ts') && !isSimilarThing(file))
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines < MIN_LINES)
    .map(({ path, lines }) => ({ path, fault: `${lines} lines; at least ${MIN_LINES} are expected` }));
}

/**
 * Returns the folders with too many files. A folder that has only files of `SIMILAR_THINGS` may have any
 * number.
 */
function fullFolders(files: readonly string[]): LayoutFault[] {
  return [...new Set(files.map((file) => dirname(file)))].flatMap((path) => {
    const own = files.filter((file) => dirname(file) === path);
    if (own.length <= MAX_FILES || own.every(isSimilarThing)) return [];
    return [{ path, fault: `${own.length} files; at most ${MAX_FILES} are expected` }];
  });
}

function isSimilarThing(file: string): boolean {
  return SIMILAR_THINGS.some((things) => things.test(file));
}

/** Returns the `src` folder of each project, and the folder `models` of the built-in models. */
function sourceFolders(root: string): string[] {
  const projects = ['apps', 'clients', 'libs', 'tools'].flatMap((group) =>
    existsSync(join(root, group)) ? readdirSync(join(root, group)).map((name) => `${group}/${name}/src`) : [],
  );
  return [...projects, 'models'].filter((folder) => existsSync(join(root, folder)));
}

function filesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|cjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !LEFT_OUT.test(file))
    .sort();
}
