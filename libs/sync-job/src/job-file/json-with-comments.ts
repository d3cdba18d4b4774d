import { NumberReader, ROUNDED, RoundedNumber } from '@understudy/expression';
import { fieldPath, type FieldProblem } from '../request/field-problem.js';
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A problem in a file, with its position. */
export interface LocatedProblem extends FieldProblem {
  /** The position in characters from the start of the text. */
  readonly offset: number;
}

export interface ParsedJson {
  /** The parsed value, or undefined if the text is not JSON. */
  readonly value: unknown;
  /**
   * Syntax errors and duplicate keys. If duplicate keys were accepted, one of two rules for a column would be
   * lost silently.
   */
  readonly problems: readonly LocatedProblem[];
  /** Returns the offset of a field such as `tables[0].columns.email`, or of its nearest existing parent. */
  readonly offsetOf: (field: string) => number;
  /** Returns the comment lines directly above a field, without their slashes, or undefined if there are none. */
  readonly commentAbove: (field: string) => string | undefined;
}

/** The deepest nesting of objects and arrays. No valid rule is nested this deeply. */
const MAX_DEPTH = 100;

/** Parses JSON that may contain comments and trailing commas. */
export function parseJsonWithComments(text: string): ParsedJson {
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== undefined) {
    const problem = { field: '', message: `expected at most ${MAX_DEPTH} nested levels`, offset: tooDeep };
    return { value: undefined, problems: [problem], offsetOf: () => tooDeep, commentAbove: () => undefined };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const problems: LocatedProblem[] = errors.map(({ error, offset }) => ({
    field: '',
    message: SYNTAX[printParseErrorCode(error)] ?? 'expected JSON',
    offset,
  }));
  const offsets = new Map<string, number>([['', root?.offset ?? 0]]);
  const value =
    root === undefined
      ? undefined
      : valueOf(root, text, { path: '', offsets, problems, numbers: new NumberReader() });
  let comments: ReadonlyMap<number, string> | undefined;
  return {
    value,
    problems,
    offsetOf: (field) => offsetOf(field, offsets),
    commentAbove(field) {
      comments ??= commentsByOffset(text);
      return comments.get(offsets.get(field) ?? -1);
    },
  };
}

/**
 * Returns the comments that begin a line, by the offset of the token after them. A comment behind a value belongs
 * to that value, so it is left out.
 */
function commentsByOffset(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const scanner = createScanner(text);
  let above: string[] = [];
  let startsLine = true;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const token = text.slice(offset, scanner.getPosition());
    if (token.trim() === '') {
      if (token.includes('\n')) startsLine = true;
    } else if (token.startsWith('//') || token.startsWith('/*')) {
      if (startsLine) above.push(token.replace(/^\/[/*]\s*|\s*\*\/$/g, ''));
    } else {
      if (above.length > 0) found.set(offset, above.join('\n'));
      above = [];
      startsLine = false;
    }
  }
  return found;
}

/**
 * Returns the offset of the first token beyond the deepest level. Runs before the parser, because the parser
 * recurses and would overflow the stack.
 */
function firstTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    // A token that begins with a brace or bracket contains nothing else, because strings begin with a quote
    // and comments with a slash.
    const first = text.charAt(scanner.getTokenOffset());
    if (first === '{' || first === '[') depth += 1;
    if (first === '}' || first === ']') depth -= 1;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

interface Position {
  readonly path: string;
  readonly offsets: Map<string, number>;
  readonly problems: LocatedProblem[];
  readonly numbers: NumberReader;
}

/** Converts a syntax tree to plain data. `__proto__` has no special meaning as a key. */
function valueOf(node: Node, text: string, position: Position): unknown {
  const { path, offsets, problems, numbers } = position;
  const { type, children = [] } = node;
  if (type === 'array') {
    return children.map((child, index) => {
      const here = fieldPath(path, index);
      offsets.set(here, child.offset);
      return valueOf(child, text, { ...position, path: here });
    });
  }
  if (type === 'number') {
    const value = numbers.read(text.slice(node.offset, node.offset + node.length));
    if (!(value instanceof RoundedNumber)) return value;
    problems.push({ field: path, message: ROUNDED, offset: node.offset });
  }
  if (type !== 'object') return node.value as unknown;
  const members = new Map<string, unknown>();
  for (const { offset, children: [key, value] = [] } of children) {
    const name = String(key?.value);
    const here = fieldPath(path, name);
    if (members.has(name)) problems.push({ field: here, message: 'expected this key only once', offset });
    offsets.set(here, offset);
    members.set(name, value === undefined ? undefined : valueOf(value, text, { ...position, path: here }));
  }
  return Object.fromEntries(members);
}

function offsetOf(field: string, offsets: ReadonlyMap<string, number>): number {
  for (let at = field; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['), 0))) {
    const offset = offsets.get(at);
    if (offset !== undefined) return offset;
  }
  return offsets.get('') ?? 0;
}

const SYNTAX: Readonly<Record<string, string>> = {
  InvalidSymbol: 'expected JSON: put strings in double quotes; the only other words are true, false and null',
  InvalidNumberFormat: 'expected a number in JSON syntax',
  PropertyNameExpected: 'expected a name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected a closing brace }',
  CloseBracketExpected: 'expected a closing bracket ]',
  EndOfFileExpected: 'expected nothing after the value',
  InvalidCommentToken: 'expected a comment as // to the end of the line, or as /* … */',
  UnexpectedEndOfComment: 'expected */ at the end of the comment',
  UnexpectedEndOfString: 'expected a double quote at the end of the string',
  UnexpectedEndOfNumber: 'expected more digits',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'expected an escape sequence of JSON; write a backslash as \\\\',
  InvalidCharacter: 'expected this character as an escape sequence with a backslash',
};
