import type { Node } from '../parse/syntax-tree.js';
import type { Names } from './compile.js';

/**
 * Functions of one text that always give a text, and `concat`. Their result becomes a part of a text, and nothing
 * else depends on it. They fail only if a text is too long.
 */
const INSERTING: ReadonlySet<string> = new Set([
  ...['concat', 'lowercase', 'uppercase', 'capitalize', 'title', 'trim', 'ascii', 'slug'],
]);

/**
 * Returns the names whose values an expression does more with than insert them into a text: it compares, tests,
 * searches, cuts, counts or chooses them. All operators and functions do so unless this function lists them as
 * exceptions.
 */
export function inspectedNames(node: Node, names: Names): ReadonlySet<string> {
  const found = new Set<string>();
  visit(node, true);
  return found;

  function visit(part: Node, inserts: boolean): void {
    switch (part.kind) {
      case 'literal':
        return;
      case 'name':
        if (!inserts && names.has(part.name)) found.add(part.name);
        return;
      case 'call':
        for (const arg of part.args) visit(arg, inserts && INSERTING.has(part.name));
        return;
      case 'binary':
        for (const side of [part.left, part.right]) visit(side, inserts && part.operator === '+');
        return;
      case 'array':
        for (const item of part.items) visit(item, false);
        return;
      case 'member':
        for (const side of [part.object, part.key]) visit(side, false);
        return;
      case 'unary':
        return visit(part.operand, false);
      case 'choice':
        for (const branch of [part.test, part.yes, part.no]) visit(branch, false);
    }
  }
}
