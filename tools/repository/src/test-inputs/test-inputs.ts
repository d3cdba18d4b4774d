import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { minimatch } from 'minimatch';

import { trackedFiles } from '../prose/check-prose.js';
import { HELPERS, helperPaths } from './helper-paths.js';
import { namedPaths } from './named-paths.js';
import { type GraphProject, readProjectGraph } from './project-graph.js';

/** Files that need the path of the whole repository, but read only paths that they or their imports name. */
export const ROOT_READERS: readonly { readonly path: string; readonly reason: string }[] = [
  { path: 'apps/agent/test/e2e/hardened-agent.spec.ts', reason: 'mounts the repository to start the agent' },
  { path: 'apps/cli/test/every-command.spec.ts', reason: 'starts the command line with npm run' },
  { path: 'apps/cli/test/guides/describe-guides.ts', reason: 'reads the pages that it lists' },
  { path: 'apps/cli/test/guides/guide-shell.ts', reason: 'starts tools/run.mjs as the guides do' },
  {
    path: 'apps/control-plane/test/integration/http/fuzz-requests.ts',
    reason: 'checks that no response contains the path',
  },
  { path: 'clients/typescript/test/browsers.spec.ts', reason: 'the working folder of a program' },
  { path: 'clients/typescript/test/types.spec.ts', reason: 'the working folder of a compiler' },
  { path: 'tools/bench/src/clients/client-programs.ts', reason: 'the working folder of the clients' },
  {
    path: 'tools/stack/test/docker-compose.spec.ts',
    reason: 'reads docker-compose.yml and the files it names',
  },
  { path: 'tools/stack/test/docker-databases.spec.ts', reason: 'reads the files that it names' },
];

const SOURCE = /\.([mc]?[jt]s|tsx)$/;
/** The glob of a project that may read all files of the repository. */
const EVERYTHING = '**/*';
const LEFT_OUT = /(^|\/)(generated|dist|node_modules)\/|\.d\.ts$/;

export interface UndeclaredInput {
  readonly file: string;
  readonly line: number;
  readonly project: string;
  readonly path: string;
}

/**
 * Checks that Nx runs the tests of a project after a change of each file that its sources and tests name by its path.
 * Nx finds imports of packages itself.
 * @throws Error with one line for each fault
 */
export async function testInputsHold(root: string): Promise<string> {
  const projects = readProjectGraph(root);
  const files = trackedFiles(root)
    .filter((path) => SOURCE.test(path) && !LEFT_OUT.test(path))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
  const { faults, paths } = undeclaredInputs(root, projects, files);
  if (paths === 0) throw new Error('expected source files that name paths of the repository, found none');
  const lines = faults.map(
    ({ file, line, project, path }) =>
      `${file}:${line}: the project "${project}" names ${path}, but Nx does not run its tests after a change there`,
  );
  if (lines.length > 0) throw new Error(lines.join('\n'));
  return `${paths} paths of ${projects.length} projects`;
}

/**
 * Finds paths outside of a project that neither its dependencies contain nor its inputs match.
 * @returns the faults, and the number of paths that were checked
 */
export function undeclaredInputs(
  root: string,
  projects: readonly GraphProject[],
  files: readonly { readonly path: string; readonly source: string }[],
): { faults: UndeclaredInput[]; paths: number } {
  const helpers = files.filter(({ path }) => path.startsWith(`${HELPERS}/src/`));
  const neededBy = helperPaths(new Map(helpers.map(({ path, source }) => [path, source])));
  const rootReaders = new Set(ROOT_READERS.map(({ path }) => path));
  const tested = projects.filter(({ isTested }) => isTested);
  const faults: UndeclaredInput[] = [];
  let paths = 0;
  for (const { path: file, source } of files) {
    const project = ownerOf(file, tested) ?? ownerOf(file, projects);
    if (project === undefined || file.startsWith(`${HELPERS}/src/`)) continue;
    const needed = [
      ...namedPaths(file, source),
      ...neededBy(file, source).map((path) => ({ path, line: 1 })),
    ];
    for (const { path, line } of needed) {
      if (path === '.' && rootReaders.has(file)) continue;
      if (!isPath(root, path) || ownerOf(path, projects) === project) continue;
      paths++;
      if (!isDeclared(root, path, project, projects))
        faults.push({ file, line, project: project.name, path });
    }
  }
  return { faults, paths };
}

/** Returns whether the path exists, or is in a folder for built files, which may not exist yet. */
function isPath(root: string, path: string): boolean {
  return (
    [path, path.replace(/\.js$/, '.ts')].some((each) => existsSync(join(root, each))) ||
    /\/dist(\/|$)/.test(path)
  );
}

function isDeclared(
  root: string,
  path: string,
  project: GraphProject,
  projects: readonly GraphProject[],
): boolean {
  if (path === '.') return project.inputs.includes(EVERYTHING);
  const owner = ownerOf(path, projects);
  if (owner !== undefined && project.reached.has(owner.name)) return true;
  const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  // A folder is declared if all that it may contain is.
  const file = isFolder ? `${path}/any/file` : path;
  return project.inputs.some((glob) => minimatch(file, glob, { dot: true }));
}

function ownerOf(path: string, projects: readonly GraphProject[]): GraphProject | undefined {
  return projects
    .filter(({ folder }) => path === folder || path.startsWith(`${folder}/`))
    .sort((one, other) => other.folder.length - one.folder.length)[0];
}
