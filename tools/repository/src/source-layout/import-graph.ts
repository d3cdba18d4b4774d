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

/** Limits of one folder. They restrict the dependencies between its modules, so that a reader can follow them. */
export interface GraphLimits {
  /** The edges of modules that import each other, directly or through others. */
  readonly edgesInCycles: number;
  readonly modules?: number;
  readonly levels?: number;
  readonly edges?: number;
}

const LIMITS: Readonly<Record<string, GraphLimits>> = {
  'libs/sync-engine/src': { edgesInCycles: 0, modules: 25, levels: 10, edges: 100 },
  'apps/agent/src': { edgesInCycles: 4 },
  'apps/cli/src': { edgesInCycles: 0 },
  'apps/control-plane/src': { edgesInCycles: 0 },
  'apps/control-plane/src/accounts': { edgesInCycles: 0 },
  'apps/control-plane/src/agents': { edgesInCycles: 2 },
  'apps/control-plane/src/data': { edgesInCycles: 0 },
  'apps/control-plane/src/jobs': { edgesInCycles: 0 },
  'apps/control-plane/src/platform': { edgesInCycles: 2 },
  'apps/dashboard/src': { edgesInCycles: 6 },
};

/**
 * Compares the import graphs of folders under `root` with their limits.
 * @returns a line for each folder
 * @throws Error if a graph exceeds a limit, with its edges in cycles
 */
export function importGraphsHold(root: string, limits = LIMITS): string {
  const graphs = Object.entries(limits).map(([folder, limit]) => {
    const graph = readImportGraph(join(root, folder));
    return { summary: summarizeGraph(folder, graph), graph, limit };
  });
  const faults = graphs.flatMap(({ summary, graph, limit }) => {
    const allowed = excess(graph, limit);
    return allowed.length === 0
      ? []
      : [
          `${summary}; allowed: ${allowed.join(', ')}`,
          ...graph.againstDirection.map(({ from, to }) => `edge in a cycle: ${from} → ${to}`),
        ];
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return graphs.map(({ summary }) => summary).join('; ');
}

/** Returns the limits that a graph exceeds: `4 edges in cycles`. */
function excess({ levels, edges, againstDirection }: ImportGraph, limit: GraphLimits): readonly string[] {
  const rows = [
    [levels.flat().length, limit.modules, 'modules'],
    [levels.length, limit.levels, 'levels'],
    [edges.length, limit.edges, 'edges'],
    [againstDirection.length, limit.edgesInCycles, 'edges in cycles'],
  ] as const;
  return rows.flatMap(([count, allowed, what]) =>
    allowed !== undefined && count > allowed ? [`${allowed} ${what}`] : [],
  );
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(spec|d)\.tsx?$/.test(file) && file !== 'index.ts')
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
