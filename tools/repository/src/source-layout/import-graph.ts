import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import ts from 'typescript';

/** The imports from the files of one module to the files of another. */
export interface ModuleEdge {
  readonly from: string;
  readonly to: string;
  readonly imports: number;
}

/** The imports between the modules of a folder. A module is a folder or a file directly under it. */
export interface ImportGraph {
  /** The modules by level, lowest first: a module imports only from lower levels, unless it is in a cycle. */
  readonly levels: readonly (readonly string[])[];
  readonly edges: readonly ModuleEdge[];
  /** The edges that are part of a cycle of modules. The modules of a cycle share a level. */
  readonly againstDirection: readonly ModuleEdge[];
}

/**
 * Reads the import graph between the modules of `folder`. It ignores `index.ts`, spec files and declaration
 * files. It includes imports of types.
 * @throws Error if the folder has no TypeScript file
 */
export function readImportGraph(folder: string): ImportGraph {
  const files = sourceFiles(folder);
  const modules = [...new Set(files.map(moduleOf))].sort();
  if (modules.length === 0) throw new Error(`${folder}: expected TypeScript files, found none`);
  const edges = edgesBetween(modules, folder, files);
  const reached = new Map(modules.map((module) => [module, modulesReachedFrom(module, edges)]));
  const reaches = (from: string, to: string): boolean => reached.get(from)?.has(to) ?? false;

  const levels = new Map<string, number>();
  const levelOf = (module: string): number => {
    const known = levels.get(module);
    if (known !== undefined) return known;
    const below = [...(reached.get(module) ?? [])].filter((other) => !reaches(other, module));
    const level = Math.max(-1, ...below.map(levelOf)) + 1;
    levels.set(module, level);
    return level;
  };
  const height = Math.max(...modules.map(levelOf)) + 1;
  return {
    levels: Array.from({ length: height }, (_, level) =>
      modules.filter((module) => levelOf(module) === level),
    ),
    edges,
    againstDirection: edges.filter(({ from, to }) => reaches(to, from)),
  };
}

/** Returns one line: `libs/x/src: 23 modules, 8 levels, 82 edges, 0 edges in cycles`. */
export function summarizeGraph(folder: string, { levels, edges, againstDirection }: ImportGraph): string {
  return `${folder}: ${levels.flat().length} modules, ${levels.length} levels, ${edges.length} edges, ${againstDirection.length} edges in cycles`;
}

/** Returns the whole graph as text: the summary, the levels from the top, the edges. */
export function describeGraph(folder: string, graph: ImportGraph): string {
  const edge = ({ from, to, imports }: ModuleEdge): string => `  ${from} → ${to} (${imports})`;
  const levels = graph.levels.map(
    (modules, level) => `  ${String(level + 1).padStart(2)}  ${modules.join(', ')}`,
  );
  return [
    summarizeGraph(folder, graph),
    '',
    'Levels (a module imports only from lower levels):',
    ...levels.reverse(),
    '',
    'Edges (imports):',
    ...graph.edges.map(edge),
    '',
    'Edges in cycles of modules:',
    ...(graph.againstDirection.length > 0 ? graph.againstDirection.map(edge) : ['  none']),
  ].join('\n');
}

/**
 * Limits for libs/sync-engine/src. They restrict the dependencies between its folders, so that a reader can
 * follow the folders in the order of a job.
 */
const LIMITS = { modules: 25, levels: 9, edges: 100 };

/**
 * Compares the import graph of `folder` under `root` with the limits.
 * @throws Error if the graph exceeds a limit or has a cycle
 */
export function importGraphHolds(root: string, folder = 'libs/sync-engine/src', limits = LIMITS): string {
  const graph = readImportGraph(join(root, folder));
  const summary = summarizeGraph(folder, graph);
  const exceeded =
    graph.levels.flat().length > limits.modules ||
    graph.levels.length > limits.levels ||
    graph.edges.length > limits.edges;
  if (!exceeded && graph.againstDirection.length === 0) return summary;
  const cycles = graph.againstDirection.map(({ from, to }) => `edge in a cycle: ${from} → ${to}`);
  const allowed = `${limits.modules} modules, ${limits.levels} levels, ${limits.edges} edges, 0 edges in cycles`;
  throw new Error([summary, `allowed: ${allowed}`, ...cycles].join('\n'));
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(file) && file !== 'index.ts')
    .sort();
}

function moduleOf(file: string): string {
  return file.split(sep)[0] ?? file;
}

function edgesBetween(modules: readonly string[], folder: string, files: readonly string[]): ModuleEdge[] {
  const counts = new Map<string, Map<string, number>>(modules.map((module) => [module, new Map()]));
  for (const file of files)
    for (const imported of relativeImports(join(folder, file))) {
      const to = moduleOf(relative(folder, imported));
      const edges = counts.get(moduleOf(file));
      if (edges && to !== moduleOf(file) && counts.has(to)) edges.set(to, (edges.get(to) ?? 0) + 1);
    }
  return [...counts].flatMap(([from, edges]) =>
    [...edges].sort().map(([to, imports]) => ({ from, to, imports })),
  );
}

/** Returns the files that a file imports by a relative path: `./steps.js` is `steps.ts` beside it. */
function relativeImports(file: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, '.ts')));
}

function modulesReachedFrom(module: string, edges: readonly ModuleEdge[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (from: string): void => {
    for (const edge of edges)
      if (edge.from === from && !reached.has(edge.to)) {
        reached.add(edge.to);
        visit(edge.to);
      }
  };
  visit(module);
  return reached;
}
