import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import ts from 'typescript';

/** The imports that lead from the files of one room to the files of another. */
export interface RoomEdge {
  readonly from: string;
  readonly to: string;
  readonly imports: number;
}

/** A room is a folder or a loose file directly under the inspected folder. */
export interface ImportGraph {
  /** The rooms by level, lowest first: a room imports only from lower levels, unless it is in a circle. */
  readonly levels: readonly (readonly string[])[];
  readonly edges: readonly RoomEdge[];
  /** The edges that are part of a circle of rooms. The rooms of a circle share a level. */
  readonly againstDirection: readonly RoomEdge[];
}

/**
 * Reads the import graph between the rooms of `folder`. It leaves out the barrel `index.ts`, spec files and
 * declarations, and counts imports of types like any other.
 * @throws Error if the folder has no TypeScript file
 */
export function readImportGraph(folder: string): ImportGraph {
  const files = sourceFiles(folder);
  const rooms = [...new Set(files.map(roomOf))].sort();
  if (rooms.length === 0) throw new Error(`${folder}: expected TypeScript files, found none`);
  const edges = edgesBetween(rooms, folder, files);
  const reached = new Map(rooms.map((room) => [room, roomsReachedFrom(room, edges)]));
  const reaches = (from: string, to: string): boolean => reached.get(from)?.has(to) ?? false;

  const levels = new Map<string, number>();
  const levelOf = (room: string): number => {
    const known = levels.get(room);
    if (known !== undefined) return known;
    const below = [...(reached.get(room) ?? [])].filter((other) => !reaches(other, room));
    const level = Math.max(-1, ...below.map(levelOf)) + 1;
    levels.set(room, level);
    return level;
  };
  const height = Math.max(...rooms.map(levelOf)) + 1;
  return {
    levels: Array.from({ length: height }, (_, level) => rooms.filter((room) => levelOf(room) === level)),
    edges,
    againstDirection: edges.filter(({ from, to }) => reaches(to, from)),
  };
}

/** Returns one line: `libs/x/src: 23 rooms, 8 levels, 82 edges, 0 against the direction`. */
export function summarizeGraph(folder: string, { levels, edges, againstDirection }: ImportGraph): string {
  return `${folder}: ${levels.flat().length} rooms, ${levels.length} levels, ${edges.length} edges, ${againstDirection.length} against the direction`;
}

/** Returns the whole graph as text: the summary, the levels from the top, the edges. */
export function describeGraph(folder: string, graph: ImportGraph): string {
  const edge = ({ from, to, imports }: RoomEdge): string => `  ${from} → ${to} (${imports})`;
  const levels = graph.levels.map(
    (rooms, level) => `  ${String(level + 1).padStart(2)}  ${rooms.join(', ')}`,
  );
  return [
    summarizeGraph(folder, graph),
    '',
    'Levels (a room imports only from lower levels):',
    ...levels.reverse(),
    '',
    'Edges (imports):',
    ...graph.edges.map(edge),
    '',
    'Against the direction (part of a circle of rooms):',
    ...(graph.againstDirection.length > 0 ? graph.againstDirection.map(edge) : ['  none']),
  ].join('\n');
}

/** The most that libs/sync-engine/src may have, so that its folder list shows the order of a job. */
const LIMITS = { rooms: 25, levels: 9, edges: 100 };

/** Compares the import graph of `folder` under `root` with the limits. @throws Error if it exceeds one */
export function importGraphHolds(root: string, folder = 'libs/sync-engine/src', limits = LIMITS): string {
  const graph = readImportGraph(join(root, folder));
  const summary = summarizeGraph(folder, graph);
  const exceeded =
    graph.levels.flat().length > limits.rooms ||
    graph.levels.length > limits.levels ||
    graph.edges.length > limits.edges;
  if (!exceeded && graph.againstDirection.length === 0) return summary;
  const circles = graph.againstDirection.map(({ from, to }) => `against the direction: ${from} → ${to}`);
  const allowed = `${limits.rooms} rooms, ${limits.levels} levels, ${limits.edges} edges, 0 against the direction`;
  throw new Error([summary, `allowed: ${allowed}`, ...circles].join('\n'));
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(file) && file !== 'index.ts')
    .sort();
}

function roomOf(file: string): string {
  return file.split(sep)[0] ?? file;
}

function edgesBetween(rooms: readonly string[], folder: string, files: readonly string[]): RoomEdge[] {
  const counts = new Map<string, Map<string, number>>(rooms.map((room) => [room, new Map()]));
  for (const file of files)
    for (const imported of relativeImports(join(folder, file))) {
      const to = roomOf(relative(folder, imported));
      const edges = counts.get(roomOf(file));
      if (edges && to !== roomOf(file) && counts.has(to)) edges.set(to, (edges.get(to) ?? 0) + 1);
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

function roomsReachedFrom(room: string, edges: readonly RoomEdge[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (from: string): void => {
    for (const edge of edges)
      if (edge.from === from && !reached.has(edge.to)) {
        reached.add(edge.to);
        visit(edge.to);
      }
  };
  visit(room);
  return reached;
}
