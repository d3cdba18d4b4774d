import type { JsonSteps } from '@understudy/column-rule';
import { type FindJsonPaths, JsonTextError } from '@understudy/masking';
import { visit } from 'jsonc-parser';

/** The parser calls itself for each level. */
const MAX_DEPTH = 500;

/** The steps of all paths, merged: each node has what may follow it. */
interface Node {
  readonly path: number | undefined;
  readonly members: Map<string, Node>;
  readonly elements: Map<number, Node>;
  everyElement: Node | undefined;
}

/** An object or array that the visitor is in. */
interface Container {
  readonly nodes: readonly Node[];
  /** What the next value in it stands for; of an object, set by the key before it. */
  next: readonly Node[];
  /** Of an array: the next element's. */
  index: number | undefined;
  /** Where it starts, when a path names it whole. */
  readonly start: number;
  readonly path: number | undefined;
}

const NOTHING: readonly Node[] = [];

/** Prepares paths, of which no two meet; see `FindJsonPaths`. Time: linear in the text. */
export function jsonPlaceFinder(paths: readonly JsonSteps[]): FindJsonPaths {
  const root = mergePaths(paths);
  return (text, found) => {
    const open: Container[] = [];
    const enter = (): readonly Node[] => {
      const inside = open.at(-1);
      if (inside === undefined) return [root];
      if (inside.index === undefined) return inside.next;
      return inside.nodes.length === 0 ? NOTHING : elementsOf(inside.nodes, inside.index++);
    };
    const begin = (start: number, index: number | undefined) => {
      if (open.length === MAX_DEPTH) throw new JsonTextError(`a document with more than ${MAX_DEPTH} levels`);
      const nodes = enter();
      open.push({ nodes, next: NOTHING, index, start, path: pathOf(nodes) });
    };
    const end = (offset: number, length: number) => {
      const closed = open.pop();
      if (closed?.path !== undefined) found(closed.path, closed.start, offset + length);
    };
    visit(
      text,
      {
        onObjectBegin: (offset) => {
          begin(offset, undefined);
        },
        onObjectEnd: end,
        onArrayBegin: (offset) => {
          begin(offset, 0);
        },
        onArrayEnd: end,
        onObjectProperty: (key) => {
          const inside = open.at(-1);
          if (inside !== undefined) inside.next = membersOf(inside.nodes, key);
        },
        onLiteralValue: (_, offset, length) => {
          const path = pathOf(enter());
          if (path !== undefined) found(path, offset, offset + length);
        },
        onError: () => {
          throw new JsonTextError('a text that is not JSON');
        },
      },
      { disallowComments: true },
    );
  };
}

function mergePaths(paths: readonly JsonSteps[]): Node {
  const root = newNode(undefined);
  paths.forEach((steps, path) => {
    let node = root;
    steps.forEach((step, i) => {
      node = child(node, step, i === steps.length - 1 ? path : undefined);
    });
  });
  return root;
}

function child(parent: Node, step: JsonSteps[number], path: number | undefined): Node {
  const { members, elements } = parent;
  const there =
    step === null ? parent.everyElement : typeof step === 'string' ? members.get(step) : elements.get(step);
  if (there !== undefined) return there;
  const node = newNode(path);
  if (step === null) parent.everyElement = node;
  else if (typeof step === 'string') members.set(step, node);
  else elements.set(step, node);
  return node;
}

function newNode(path: number | undefined): Node {
  return { path, members: new Map(), elements: new Map(), everyElement: undefined };
}

function membersOf(nodes: readonly Node[], key: string): readonly Node[] {
  return nodes.length === 0 ? NOTHING : nodes.flatMap(({ members }) => members.get(key) ?? []);
}

function elementsOf(nodes: readonly Node[], index: number): readonly Node[] {
  return nodes.flatMap(({ elements, everyElement }) => [
    ...(everyElement === undefined ? [] : [everyElement]),
    ...(elements.get(index) === undefined ? [] : [elements.get(index) as Node]),
  ]);
}

function pathOf(nodes: readonly Node[]): number | undefined {
  for (const { path } of nodes) if (path !== undefined) return path;
  return undefined;
}
