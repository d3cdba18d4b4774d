import type { syntaxTree } from '@codemirror/language';
import { joinPath, type Problem } from '@understudy/generator';

export type Tree = ReturnType<typeof syntaxTree>;
export type SyntaxNode = Tree['topNode'];

/** A part of the text of an editor. `to` is exclusive. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the part of a schema's text that a problem is about. */
export function rangeOf({ path }: Problem, tree: Tree, text: string): TextRange {
  return (path === '' ? firstFault(tree) : undefined) ?? locate(tree, text, path);
}

/**
 * Finds the value at a path, such as `generators.age.params.min`. The range of an object or array is only its name,
 * because it may have many lines. If the value is missing, the range is that of the nearest part that contains it.
 */
export function locate(tree: Tree, text: string, path: string): TextRange {
  const root = tree.topNode.firstChild;
  if (root === null) return { from: 0, to: text.length };
  let found: TextRange = { from: root.from, to: Math.min(root.to, root.from + 1) };
  let node: SyntaxNode | null = root;
  let current = '';
  while (node !== null && current !== path) {
    const child: Child | undefined = children(node, text, current).find((each) => isOnPath(each.path, path));
    if (child === undefined) break;
    found =
      child.name !== undefined && isCollection(child.value)
        ? child.name
        : (child.value ?? child.name ?? found);
    node = child.value;
    current = child.path;
  }
  return { from: found.from, to: Math.max(found.to, found.from + 1) };
}

/** Returns the first place where the text is not JSON. */
export function firstFault(tree: Tree): TextRange | undefined {
  let fault: TextRange | undefined;
  tree.iterate({
    enter(node) {
      if (fault === undefined && node.type.isError)
        fault = { from: node.from, to: Math.max(node.to, node.from + 1) };
      return fault === undefined;
    },
  });
  return fault;
}

/** A member of an object, or an element of an array. */
interface Child {
  readonly path: string;
  /** Undefined for an element of an array. */
  readonly name: SyntaxNode | undefined;
  /** Null if the text ends before the value. */
  readonly value: SyntaxNode | null;
}

function children(node: SyntaxNode, text: string, path: string): Child[] {
  if (node.name === 'Object')
    return node.getChildren('Property').flatMap((property) => {
      const name = property.getChild('PropertyName');
      if (name === null) return [];
      const key = keyOf(text.slice(name.from, name.to));
      if (key === undefined) return [];
      const value = property.lastChild;
      return [{ path: joinPath(path, key), name, value: isValue(value) ? value : null }];
    });
  if (node.name !== 'Array') return [];
  return childNodes(node)
    .filter(isValue)
    .map((value, index) => ({ path: joinPath(path, index), name: undefined, value }));
}

/** Returns all children of a node. */
export function childNodes(node: SyntaxNode): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) nodes.push(child);
  return nodes;
}

const VALUES: ReadonlySet<string> = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

export function isValue(node: SyntaxNode | null): node is SyntaxNode {
  return node !== null && VALUES.has(node.name);
}

function isCollection(node: SyntaxNode | null): boolean {
  return node?.name === 'Object' || node?.name === 'Array';
}

function isOnPath(part: string, path: string): boolean {
  return path === part || path.startsWith(`${part}.`) || path.startsWith(`${part}[`);
}

/** Returns the text of a JSON string, or undefined if it is not complete. */
export function keyOf(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined; // the user has not finished it
  }
}
