import ts from 'typescript';

import { parsedSource } from '../source-layout/parsed-source.js';

/** The kind of a text decides which rules apply to it. */
export type TextKind = 'page' | 'doc comment' | 'comment' | 'test title' | 'message';

/** A text that people read. Line n of the text is line `line` + n of the file, with n from 0. */
export interface Prose {
  readonly kind: TextKind;
  /** The line of the file on which the text begins, from 1. */
  readonly line: number;
  /** The text as Markdown. Each value that a message gets at run time is replaced by `X`. */
  readonly text: string;
}

/** The name of a declared type, function, variable, parameter or property, with its line from 1. */
export interface DeclaredName {
  readonly kind: 'type' | 'other';
  readonly line: number;
  readonly name: string;
}

export interface SourceTexts {
  readonly texts: readonly Prose[];
  readonly names: readonly DeclaredName[];
}

const TEST_FUNCTIONS = new Set(['it', 'test', 'describe']);
const SQL =
  /^\s*\(?(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|LOCK|GRANT|REVOKE|SET|BEGIN|COMMENT|COPY|TRUNCATE|ANALYZE|FROM|WHERE|JOIN|LEFT|AND|OR|NOT|CASE|DO|TABLE|VALUES|ORDER|GROUP|UNION|RETURNING|ON|EXISTS|INNER|EXECUTE|SECURITY|LIMIT)\b/;
/**
 * Keywords in capitals that indicate SQL. A text with at least `KEYWORDS_OF_SQL` of them is not checked,
 * because it is a part of a statement.
 */
const SQL_KEYWORDS =
  /\b(SELECT|FROM|WHERE|NOT|NULL|DEFAULT|CONSTRAINT|CHECK|REFERENCES|PRIMARY|UNIQUE|AND|OR|IN|IS|JOIN|ON|AS|EXISTS|UPDATE|SET|CREATE|INDEX|TABLE)\b/g;
const KEYWORDS_OF_SQL = 4;
/** A string literal is a message only if it has at least this number of words that consist of letters. */
const WORDS_OF_MESSAGE = 3;

/**
 * Returns the comments, test titles and messages of a TypeScript or JavaScript file, and the names it declares. The
 * texts of JSX elements are messages.
 */
export function sourceTexts(file: string, source: string): SourceTexts {
  const tree = parsedSource(file, source);
  const isTest = /\.spec\.ts$|\/test\//.test(file);
  const texts: Prose[] = comments(tree);
  const names: DeclaredName[] = [];
  const lineOf = (node: ts.Node) => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
  const visit = (node: ts.Node): void => {
    const title = titleOf(node);
    if (title) texts.push({ kind: 'test title', line: lineOf(title), text: textOf(title) });
    else if (!isTest && isMessage(node))
      texts.push({ kind: 'message', line: lineOf(node), text: textOf(node) });
    if (ts.isJsxText(node) && isSentence(node.text))
      texts.push({ kind: 'message', line: lineOf(node), text: node.text.replace(/\s+/g, ' ').trim() });
    const name = declaredName(node);
    if (name) names.push({ ...name, line: lineOf(node) });
    if (!isText(node)) ts.forEachChild(node, visit);
    else if (ts.isTemplateExpression(node)) for (const span of node.templateSpans) visit(span.expression);
    else if (ts.isBinaryExpression(node)) ts.forEachChild(node, visitInside);
  };
  /** Visits expressions inside a message, such as operands of `+`, because they may contain further messages. */
  const visitInside = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node)) for (const span of node.templateSpans) visit(span.expression);
    else if (!ts.isStringLiteralLike(node)) ts.forEachChild(node, visitInside);
  };
  visit(tree);
  return { texts, names };
}

interface CommentRange extends ts.TextRange {
  readonly isLine: boolean;
}

function comments(tree: ts.SourceFile): Prose[] {
  const source = tree.text;
  const ranges: CommentRange[] = [];
  let from = /^#!.*/.exec(source)?.[0].length ?? 0;
  for (const { pos, end } of [...literals(tree), { pos: source.length, end: source.length }]) {
    const code = source.slice(from, pos);
    for (const { 0: comment, index } of code.matchAll(/\/\/.*|\/\*[^]*?\*\//g))
      ranges.push({
        pos: from + index,
        end: from + index + comment.length,
        isLine: comment.startsWith('//'),
      });
    from = end;
  }
  return joinLines(source, ranges).map(({ pos, end }) => {
    const raw = source.slice(pos, end);
    const isDoc = raw.startsWith('/**');
    return {
      kind: isDoc ? 'doc comment' : 'comment',
      line: tree.getLineAndCharacterOfPosition(pos).line + 1,
      text: isDoc ? docText(raw) : commentText(raw),
    };
  });
}

/** Returns the parts of a file that may contain the characters of a comment and are none, in their order. */
function literals(tree: ts.SourceFile): ts.TextRange[] {
  const found: ts.TextRange[] = [];
  const visit = (node: ts.Node): void => {
    if (isLiteral(node)) found.push({ pos: node.getStart(tree), end: node.end });
    else ts.forEachChild(node, visit);
  };
  visit(tree);
  return found.sort((a, b) => a.pos - b.pos);
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isLiteralExpression(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  );
}

/** Joins line comments on consecutive lines to one text. */
function joinLines(source: string, ranges: readonly CommentRange[]): CommentRange[] {
  const joined: CommentRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last?.isLine && range.isLine && /^\s*$/.test(source.slice(last.end, range.pos))) last.end = range.end;
    else joined.push({ ...range });
  }
  return joined;
}

/** Converts a doc comment to Markdown. Each tag becomes a list item. */
function docText(raw: string): string {
  return raw
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .map((line) => line.replace(/^\s*@(param|template|property)\s+(\{[^}]*\}\s*)?(\S+)( - )?\s*/, '- '))
    .map((line) =>
      line.replace(
        /^\s*@(throws|returns|see|deprecated|example|default\w*|remarks)\b\s*(\{[^}]*\}\s*)?/,
        '- ',
      ),
    )
    .join('\n')
    .replace(/\s@(throws|returns)\b/g, '.\n\n')
    .replace(/\{@link\s+([^}\s|]+)[^}]*\}/g, '`$1`');
}

function commentText(raw: string): string {
  return raw
    .replace(/^\/\*/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\/\/+|\*) ?/, ''))
    .join('\n');
}

function titleOf(node: ts.Node): ts.Node | undefined {
  if (!ts.isCallExpression(node) || !calledTestFunction(node.expression)) return undefined;
  const [first] = node.arguments;
  return first && isText(first) ? first : undefined;
}

/**
 * Checks whether the called expression is a test function such as `it`, including forms such as
 * `it.each(rows)(…)` and `describe.skip(…)`.
 */
function calledTestFunction(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return TEST_FUNCTIONS.has(called.text);
  if (ts.isPropertyAccessExpression(called)) return calledTestFunction(called.expression);
  if (ts.isCallExpression(called)) return calledTestFunction(called.expression);
  return false;
}

function isText(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return true;
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    isText(node.left) &&
    isText(node.right)
  );
}

function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `X${span.literal.text}`).join('');
  if (ts.isBinaryExpression(node)) return textOf(node.left) + textOf(node.right);
  return '';
}

function isMessage(node: ts.Node): boolean {
  if (!isText(node) || isData(node)) return false;
  const text = textOf(node);
  return isSentence(text) && !isSql(text) && !isClassList(text);
}

function isSentence(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /^["'(]?[a-z][a-z'-]*["').,;:!?]*$/i.test(word));
  return words.length >= WORDS_OF_MESSAGE;
}

/** Checks whether a text is a list of classes for a style sheet, such as `flex items-center gap-2`. */
function isClassList(text: string): boolean {
  const words = text.trim().split(/\s+/);
  const compound = words.filter((word) => /^[^A-Z.,;]*[a-z\])][-:/[][^A-Z;]*$/.test(word));
  return compound.length * 2 >= words.length && words.every((word) => !/[a-z][.,;:!?]$/.test(word));
}

function isSql(text: string): boolean {
  return SQL.test(text) || (text.match(SQL_KEYWORDS)?.length ?? 0) >= KEYWORDS_OF_SQL;
}

/**
 * Checks whether a string is data that no person reads. It is data if it is in an import, a literal type, a
 * tagged template or a list of words that code splits.
 */
function isData({ parent }: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isTaggedTemplateExpression(parent) ||
    (ts.isPropertyAccessExpression(parent) && parent.name.text === 'split')
  );
}

function declaredName(node: ts.Node): Omit<DeclaredName, 'line'> | undefined {
  if (
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node)
  )
    return node.name && { kind: 'type', name: node.name.text };
  if (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node)
  )
    return node.name && ts.isIdentifier(node.name) ? { kind: 'other', name: node.name.text } : undefined;
  return undefined;
}

/** Returns the comments of a protobuf schema, a shell script, a YAML file or a Dockerfile. */
export function lineComments(source: string): readonly Prose[] {
  const found: { line: number; lines: string[] }[] = [];
  let last = -1;
  for (const [index, line] of source.split('\n').entries()) {
    const text = /^\s*(?:\/\/+|#+)(?!!)(?:$| (.*))/.exec(line);
    if (!text) continue;
    const open = found.at(-1);
    if (open && last === index - 1) open.lines.push(text[1] ?? '');
    else found.push({ line: index + 1, lines: [text[1] ?? ''] });
    last = index;
  }
  return found.map(({ line, lines }) => ({ kind: 'comment', line, text: lines.join('\n') }));
}
