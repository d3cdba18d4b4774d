import type { JsonSteps } from '@understudy/column-rule';
import { type FindJsonPaths, JsonTextError } from '@understudy/masking';
import { visit } from 'jsonc-parser';

/**
 * The maximum nesting of a document. The parser is recursive, so deeper documents could exhaust the stack.
 */
const MAX_DEPTH = 500;

/** A node of the tree that contains the steps of all paths. Its children are the possible next steps. */
interface Node {
  readonly path: number | undefined;
  readonly members: Map<string, Node>;
  readonly elements: Map<number, Node>;
  everyElement: Node | undefined;
}

/** An object or array whose end the parser has not reached yet. */
interface Container {
  readonly nodes: readonly Node[];
  /** The nodes that match the value of the object's latest key. Empty for an array. */
  next: readonly Node[];
  /** The index of the next element. Undefined for an object. */
  index: number | undefined;
  /** The offset of the container's first character. */
  readonly start: number;
  /** The index of the path that names the whole object or array. */
  readonly path: number | undefined;
}

const NOTHING: readonly Node[] = [];

/**
 * Returns a function that finds the values of JSON paths in a text, in time linear in the text's length. No
 * two of the paths may name the same value.
 */
export function jsonPathFinder(paths: readonly JsonSteps[]): FindJsonPaths {
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
      if (open.length === MAX_DEPTH)
        throw new JsonTextError(`expected a document of at most ${MAX_DEPTH} levels`);
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
          throw new JsonTextError('expected JSON');
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
