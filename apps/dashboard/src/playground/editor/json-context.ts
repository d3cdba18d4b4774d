import { childNodes, isValue, keyOf, type SyntaxNode, type TextRange, type Tree } from './json-locations.js';

/** Where the cursor is in a schema, as far as completion needs it. */
export interface JsonContext {
  /** Whether the text at the cursor is the name of a member or a value. */
  readonly kind: 'name' | 'value';
  /** The names and indexes that lead to the member or element at the cursor; for a name, to its object. */
  readonly path: readonly (string | number)[];
  /** The text that a completion replaces, including its quotation marks. Empty if nothing is written. */
  readonly range: TextRange;
  /** The objects that contain the cursor, the outermost one first, with their members that are plain texts. */
  readonly objects: readonly ContextObject[];
  /** The names of the generators of the schema. */
  readonly generators: readonly string[];
}

export interface ContextObject {
  readonly path: readonly (string | number)[];
  readonly names: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
  /** The names in its member `let`: the steps of a composition. */
  readonly steps: readonly string[];
}

/** Returns the context at a position, or undefined if nothing can be written there. */
export function contextAt(tree: Tree, text: string, position: number): JsonContext | undefined {
  const inner = tree.resolveInner(position, -1);
  const written = inner.name === 'String' || inner.name === 'PropertyName' ? inner : undefined;
  const range = written ? { from: written.from, to: written.to } : { from: position, to: position };
  const objects: ContextObject[] = [];
  const ancestors = lineage(inner);
  const path: (string | number)[] = [];
  for (const [index, node] of ancestors.entries()) {
    const next = ancestors[index + 1];
    if (node.name === 'Object') objects.push(describe(node, text, [...path]));
    if (node.name === 'Property' && next?.name !== 'PropertyName') {
      const key = nameOf(node, text);
      if (key !== undefined) path.push(key);
    }
    if (node.name === 'Array')
      path.push(childNodes(node).filter((child) => isValue(child) && child.to < position).length);
  }
  const last = ancestors.at(-1)?.name;
  if (last === undefined || last === 'JsonText') return undefined;
  const kind = last === 'PropertyName' || last === 'Object' ? 'name' : 'value';
  return { kind, path, range, objects, generators: generatorsOf(tree, text) };
}

/** Returns a node and its ancestors, the outermost one first, without marks of faults. */
function lineage(node: SyntaxNode): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  for (let each: SyntaxNode | null = node; each !== null; each = each.parent)
    if (!each.type.isError) nodes.unshift(each);
  const last = nodes.at(-1);
  // Brackets and colons are nodes, too. The cursor is then in their parent.
  return last !== undefined && /^[{}[\],:]$/.test(last.name) ? nodes.slice(0, -1) : nodes;
}

function describe(node: SyntaxNode, text: string, path: readonly (string | number)[]): ContextObject {
  const names: string[] = [];
  const steps: string[] = [];
  const texts: Record<string, string> = {};
  for (const property of node.getChildren('Property')) {
    const key = nameOf(property, text);
    if (key === undefined) continue;
    names.push(key);
    const value = property.lastChild;
    if (key === 'let' && value?.name === 'Object') steps.push(...namesOf(value, text));
    const content = value?.name === 'String' ? keyOf(text.slice(value.from, value.to)) : undefined;
    if (content !== undefined) texts[key] = content;
  }
  return { path, names, texts, steps };
}

function generatorsOf(tree: Tree, text: string): readonly string[] {
  const members = tree.topNode.getChild('Object')?.getChildren('Property') ?? [];
  const generators = members.find((member) => nameOf(member, text) === 'generators')?.getChild('Object');
  return generators ? namesOf(generators, text) : [];
}

function namesOf(object: SyntaxNode, text: string): string[] {
  return object.getChildren('Property').flatMap((property) => nameOf(property, text) ?? []);
}

function nameOf(property: SyntaxNode, text: string): string | undefined {
  const name = property.getChild('PropertyName');
  return name === null ? undefined : keyOf(text.slice(name.from, name.to));
}
