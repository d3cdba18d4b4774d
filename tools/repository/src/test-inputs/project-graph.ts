import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tool } from '../check/programs.js';

/** A project of Nx. Nx runs its tests after a change in its folder, its inputs or its dependencies. */
export interface GraphProject {
  readonly name: string;
  /** The path from the root of the repository. */
  readonly folder: string;
  /** Whether it has a target `test`. The tests of the client in TypeScript belong to the project `clients`. */
  readonly isTested: boolean;
  /** Globs of files outside its folder that its tests declare as inputs. */
  readonly inputs: readonly string[];
  /** The names of the project, of its dependencies and of their dependencies. */
  readonly reached: ReadonlySet<string>;
}

/** Without processes for its plugins, Nx needs half of the time. */
const ONE_PROCESS = { NX_ISOLATE_PLUGINS: 'false' };

/**
 * Returns the environment in which Nx keeps what it has found in this folder, and in no other. In a folder that
 * lives longer than a change, Nx would keep what unchanged files import, although a new project may own it.
 */
export const cachedIn = (folder: string) => ({ ...ONE_PROCESS, NX_WORKSPACE_DATA_DIRECTORY: folder });

interface GraphFile {
  readonly graph: {
    readonly nodes: Record<
      string,
      { readonly data: { readonly root: string; readonly targets?: { test?: { inputs?: string[] } } } }
    >;
    readonly dependencies: Record<string, readonly { readonly target: string }[]>;
  };
}

/**
 * Reads the projects from Nx. Needs a few seconds, because Nx reads the imports of all source files.
 * @param cache the folder in which Nx keeps what it has found, for further calls of Nx. Default: a new folder
 */
export function readProjectGraph(root: string, cache?: string): readonly GraphProject[] {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-graph-'));
  try {
    const file = join(folder, 'graph.json');
    tool(root, 'nx', ['graph', `--file=${file}`], '.', {
      ...process.env,
      ...cachedIn(cache ?? folder),
    });
    const { graph } = JSON.parse(readFileSync(file, 'utf8')) as GraphFile;
    const { namedInputs } = JSON.parse(readFileSync(join(root, 'nx.json'), 'utf8')) as {
      namedInputs: Record<string, readonly string[]>;
    };
    return Object.entries(graph.nodes).map(([name, { data }]) => ({
      name,
      folder: data.root,
      isTested: data.targets?.test !== undefined,
      inputs: globs(data.targets?.test?.inputs ?? [], namedInputs),
      reached: reachedFrom(name, graph.dependencies),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function globs(inputs: readonly string[], named: Record<string, readonly string[]>): string[] {
  const prefix = '{workspaceRoot}/';
  return inputs.flatMap((input) => {
    const others = named[input];
    if (others) return globs(others, named);
    return input.startsWith(prefix) ? [input.slice(prefix.length)] : [];
  });
}

function reachedFrom(name: string, dependencies: GraphFile['graph']['dependencies']): Set<string> {
  const reached = new Set([name]);
  for (const each of reached) for (const { target } of dependencies[each] ?? []) reached.add(target);
  return reached;
}
