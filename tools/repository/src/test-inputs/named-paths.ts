import { dirname, posix } from 'node:path';
import ts from 'typescript';

import { parsedSource } from '../source-layout/parsed-source.js';

/** A path of the repository that a source file names. */
export interface NamedPath {
  /** The path from the root of the repository; `.` is the root. */
  readonly path: string;
  readonly line: number;
}

/** A variable with the path of the repository, as the sources name it. */
const ROOT_VARIABLE = /^(root|repository|checkout)$/i;
const TOP_FOLDERS = 'apps|clients|deploy|docs|libs|models|proto|tools';
const PATH = new RegExp(`^(${TOP_FOLDERS})(/[\\w.@-]+)+/?$`);
const ROOT_PAGE = /^[A-Z_]+\.md$/;

/**
 * Finds the paths of the repository in the string literals of a source file. These are literals that are such a path,
 * relative paths, also of imports, and the arguments of `join` and `resolve` after the root.
 * @param file the path of the source file from the root of the repository
 */
export function namedPaths(file: string, source: string): NamedPath[] {
  const tree = parsedSource(file, source);
  const found: NamedPath[] = [];
  const add = (node: ts.Node, path: string): void => {
    const normal = posix.normalize(path).replace(/\/$/, '');
    if (normal.startsWith('..')) return; // outside of the repository
    found.push({ path: normal, line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1 });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const joined = joinedPath(file, node);
      if (joined) {
        add(node, joined.path);
        node.arguments.slice(joined.used).forEach(visit);
        return;
      }
    }
    const text = literalText(node);
    if (text !== undefined) {
      if (/^\.\.?(\/|$)/.test(text)) add(node, posix.join(dirname(file), text));
      else if (PATH.test(text) || ROOT_PAGE.test(text)) add(node, text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/**
 * @returns the path that `join(ROOT, 'docs', name)` or `join(import.meta.dirname, '../..', 'docs')` begins with, and
 *   the number of arguments that it consists of
 */
function joinedPath(file: string, call: ts.CallExpression): { path: string; used: number } | undefined {
  const [first, ...rest] = call.arguments;
  if (!/^(join|resolve)$/.test(call.expression.getText()) || first === undefined) return undefined;
  const isRoot = ts.isIdentifier(first) && ROOT_VARIABLE.test(first.text);
  const isHere = /^(import\.meta\.dirname|__dirname)$/.test(first.getText());
  if (!isRoot && !isHere) return undefined;
  let path = isRoot ? '.' : dirname(file);
  let used = 1;
  for (const argument of rest) {
    const text = literalText(argument);
    if (text === undefined) break;
    path = posix.join(path, text);
    used++;
    if (ts.isTemplateExpression(argument)) break; // the rest of its text depends on values
  }
  return isRoot && used === 1 ? undefined : { path, used };
}

/** @returns the text of a literal, or the folder that the first part of a template names */
function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.head.text.replace(/[^/]*$/, '') || undefined;
  return undefined;
}
