import { wrapped } from './emitter-parts.js';

/** The sentence at the top of all generated files. */
export const HEAD = 'Written by `npm run generate` from docs/reference/openapi.json. Do not edit.';

/** The longest line that Black writes. */
const WIDTH = 88;

const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self'.split(
    ' ',
  ),
);

/** @throws Error if Python reserves the name */
export function identifier(name: string): string {
  if (KEYWORDS.has(name) || !/^[a-z_][a-z0-9_]*$/.test(name))
    throw new Error(`expected a name that Python does not reserve, received ${name}: use another name`);
  return name;
}

export const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

export const byText = (a: string, b: string): number => (a < b ? -1 : 1);

export const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** A bracketed list on one line, or with one item on each line if it is too long. */
export function list(open: string, items: readonly string[], close: string, depth: number): string {
  const indent = '    '.repeat(depth);
  const line = `${open}${items.join(', ')}${close}`;
  if (indent.length + line.length < WIDTH) return line;
  return `${open}\n${items.map((item) => `${indent}    ${item},\n`).join('')}${indent}${close}`;
}

/** A docstring with its line break, or nothing. Each paragraph of the text is wrapped on its own. */
export function docstring(text: string, indent: number, rest = ''): string {
  const space = ' '.repeat(indent);
  const paragraphs = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
    .split(/\n\n+/)
    .filter(Boolean)
    .map((paragraph, index) => wrap((index === 0 ? '"""' : '') + oneLine(paragraph), indent, 0));
  const body = [...paragraphs, rest].filter(Boolean).join('\n\n');
  if (body === '') return '';
  const isOneLine = !body.includes('\n') && body.length + 3 <= WIDTH && !body.endsWith('"');
  return isOneLine ? `${body}"""\n` : `${body}\n${space}"""\n`;
}

/** Breaks a text between words. All lines but the first are indented by `hanging` more spaces. */
export function wrap(text: string, indent: number, hanging: number): string {
  return wrapped(text.replace(/\s+/g, ' '), WIDTH - indent, ' '.repeat(hanging))
    .map((line) => ' '.repeat(indent) + line)
    .join('\n');
}
