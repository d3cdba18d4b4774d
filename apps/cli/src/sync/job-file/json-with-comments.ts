import { fieldPath, type FieldProblem } from '@understudy/sync-job';
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A mistake in a file, at its place there. */
export interface PlacedProblem extends FieldProblem {
  /** In characters from the start of the text. */
  readonly offset: number;
}

export interface ParsedJson {
  /** Plain data; undefined for a text that is no JSON. */
  readonly value: unknown;
  /** Of syntax, and of keys that are there twice: of two rules for a column one would be lost without a word. */
  readonly problems: readonly PlacedProblem[];
  /** Where a field stands, or what it would be part of: `tables[0].columns.email`. */
  readonly offsetOf: (field: string) => number;
}

/** Deeper than any rule is. */
const MAX_DEPTH = 100;

/** Reads JSON that may have comments, and commas after the last of a list. */
export function parseJsonWithComments(text: string): ParsedJson {
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== undefined) {
    const problem = { field: '', message: `JSON nests at most ${MAX_DEPTH} levels`, offset: tooDeep };
    return { value: undefined, problems: [problem], offsetOf: () => tooDeep };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const problems: PlacedProblem[] = errors.map(({ error, offset }) => ({
    field: '',
    message: SYNTAX[printParseErrorCode(error)] ?? 'is not JSON',
    offset,
  }));
  const offsets = new Map<string, number>([['', root?.offset ?? 0]]);
  const value = root === undefined ? undefined : valueOf(root, '', offsets, problems);
  return { value, problems, offsetOf: (field) => offsetOf(field, offsets) };
}

/** The parser recurses; what is too deep for it is told before. */
function firstTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    // Nothing but a brace or a bracket begins with one: texts begin with a quote, comments with a slash.
    const first = text.charAt(scanner.getTokenOffset());
    if (first === '{' || first === '[') depth += 1;
    if (first === '}' || first === ']') depth -= 1;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

/** Keys are data: `__proto__` is one like any other. */
function valueOf(node: Node, path: string, offsets: Map<string, number>, problems: PlacedProblem[]): unknown {
  const { type, children = [] } = node;
  if (type === 'array') {
    return children.map((child, index) => {
      const here = fieldPath(path, index);
      offsets.set(here, child.offset);
      return valueOf(child, here, offsets, problems);
    });
  }
  if (type !== 'object') return node.value as unknown;
  const members = new Map<string, unknown>();
  for (const { offset, children: [key, value] = [] } of children) {
    const name = String(key?.value);
    const here = fieldPath(path, name);
    if (members.has(name)) problems.push({ field: here, message: 'is given twice', offset });
    offsets.set(here, offset);
    members.set(name, value === undefined ? undefined : valueOf(value, here, offsets, problems));
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
  InvalidSymbol: 'is not JSON: texts stand in double quotes, and other words are true, false and null',
  InvalidNumberFormat: 'is not a number as JSON has it',
  PropertyNameExpected: 'expected a name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected a closing brace }',
  CloseBracketExpected: 'expected a closing bracket ]',
  EndOfFileExpected: 'expected nothing more after the value',
  InvalidCommentToken: 'is no comment: they are // to the end of the line, or /* … */',
  UnexpectedEndOfComment: 'expected the end of the comment, */',
  UnexpectedEndOfString: 'expected the end of the text, a double quote',
  UnexpectedEndOfNumber: 'expected more digits',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'is no escape of JSON; a backslash is written \\\\',
  InvalidCharacter: 'has a character that JSON writes with a backslash',
};
