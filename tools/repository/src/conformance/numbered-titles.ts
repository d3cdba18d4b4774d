import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { trackedFiles } from '../prose/check-prose.js';

/** A test whose title begins with the numbers of the statements that it shows: `[4.2/3, 4.2/5] …`. */
export interface NumberedTest {
  /** The path from the root of the repository, with forward slashes. */
  readonly file: string;
  readonly statements: readonly string[];
  /** The title of the group around the test, followed by a space, or an empty text. */
  readonly group: string;
  /** The title after the numbers. Each value that is inserted at run time is `…`, here and in `group`. */
  readonly title: string;
}

/** The numbers at the beginning of a title. */
const NUMBERS = /^\[(\d[^\]]*\/[^\]]*)\] /;
const LIKE_NUMBERS = /['"`]\[\d[^\]]*\/[^\]]*\] /;
/** The suites, and the modules that define tests for them. */
const TESTS = /\.spec\.ts$|\/test\/.*\.ts$/;
/** Each player of these scenarios is a suite with a test for each of their titles. */
const SCENARIOS = /^clients\/scenarios\/[^/]*\.json$/;
const PLAYERS = /^clients\/test\/scenarios\/[^/.]*\.spec\.ts$/;

/** Reads the numbered tests of the repository from its files, without a run of the tests. */
export function readNumberedTests(root: string): readonly NumberedTest[] {
  const files = trackedFiles(root, (file) => TESTS.test(file) || SCENARIOS.test(file));
  return files.flatMap((file) => {
    const tests = numberedTests(file, readFileSync(join(root, file), 'utf8'));
    if (!SCENARIOS.test(file)) return tests;
    const players = files.filter((each) => PLAYERS.test(each));
    return players.flatMap((player) => tests.map((test) => ({ ...test, file: player })));
  });
}

/**
 * Finds the numbered titles of a TypeScript or JSON file. A title is any string that begins with numbers. So it may
 * also be in a row of `it.each`.
 */
export function numberedTests(file: string, source: string): readonly NumberedTest[] {
  const tests: NumberedTest[] = [];
  const visit = (node: ts.Node, group: string): void => {
    const text = textOf(node) ?? '';
    const [numbers = '', list] = NUMBERS.exec(text) ?? [];
    if (list !== undefined)
      tests.push({ file, statements: list.split(', '), group, title: filled(text.slice(numbers.length)) });
    const title = groupTitle(node);
    const inner = title === undefined ? group : `${filled(title)} `;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  if (LIKE_NUMBERS.test(source)) visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest), '');
  return tests;
}

/** Returns the text of a string or template, with `${}` for each expression. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `\${}${literal.text}`).join('');
}

/** Returns the title of a call such as `describe(…)`, `describe.each(rows)(…)` or `describeUnless(reason)(…)`. */
function groupTitle(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  let called: ts.Expression = node.expression;
  while (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called)) called = called.expression;
  if (!ts.isIdentifier(called) || !called.text.startsWith('describe')) return undefined;
  const [title] = node.arguments;
  return title && textOf(title);
}

/** Replaces each placeholder of a title, such as `%s`, `$name` or `${}`, by `…`. */
function filled(title: string): string {
  return title.replace(/%[a-z]|\$\{\}|\$\w+/g, '…');
}
