import { decimalText, type ExactDecimal, isExactDecimal, writeExactJson } from '@understudy/expression';

import type { Layout, Style } from './layout.js';

type Single = string | number | bigint | ExactDecimal | boolean | null;
export type Json = Single | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** How the formatters of the languages divide long lines: Prettier, Black, PSR-12 and gofmt. */
export const STYLE_OF = {
  curl: { width: 90, indent: '  ' },
  typescript: { width: 110, indent: '  ' },
  python: { width: 88, indent: '    ' },
  php: { width: 100, indent: '    ' },
  // gofmt does not limit the width of lines. It aligns the values of a struct or map that has several lines.
  go: { width: 100, indent: '\t', align: alignedValues },
} satisfies Readonly<Record<string, Style>>;

/** A number that a language cannot send with all its digits. */
export class UnsentNumber extends Error {}

function isLarge(value: Json): value is bigint | ExactDecimal {
  return typeof value === 'bigint' || isExactDecimal(value);
}

/** Writes a value as JSON. */
export function jsonLiteral(value: Json): Layout {
  if (isLarge(value) || typeof value !== 'object' || value === null) return writeExactJson(value);
  if (Array.isArray(value))
    return { open: '[', items: value.map(jsonLiteral), close: ']', padding: '', lastComma: false };
  return { open: '{', items: members(value, jsonLiteral), close: '}', padding: ' ', lastComma: false };
}

/** Writes a value in TypeScript, as Prettier formats it with single quotation marks. */
export function typescriptLiteral(value: Json): Layout {
  if (typeof value === 'string') return typescriptText(value);
  if (isExactDecimal(value)) throw new UnsentNumber();
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value))
    return { open: '[', items: value.map(typescriptLiteral), close: ']', padding: '', lastComma: true };
  const items = Object.entries(value as JsonObject).map(([key, of]) => [
    /^[A-Za-z_$][\w$]*$/.test(key) ? `${key}: ` : `${typescriptText(key)}: `,
    typescriptLiteral(of),
  ]);
  return { open: '{', items, close: '}', padding: ' ', lastComma: true };
}

/** Writes a text with the quotation marks that need fewer escapes. */
function typescriptText(text: string): string {
  const json = JSON.stringify(text);
  if (text.includes("'") && !text.includes('"')) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Writes a value in Python, as Black formats it. */
export function pythonLiteral(value: Json): Layout {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return String(value);
  if (isExactDecimal(value)) return `Decimal("${decimalText(value)}")`;
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value))
    return { open: '[', items: value.map(pythonLiteral), close: ']', padding: '', lastComma: true };
  return { open: '{', items: members(value, pythonLiteral), close: '}', padding: '', lastComma: true };
}

/** Writes a value in PHP, in the style of PSR-12. */
export function phpLiteral(value: Json): Layout {
  if (typeof value === 'string') return phpText(value);
  if (isExactDecimal(value) || (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value))
    throw new UnsentNumber();
  if (typeof value !== 'object' || value === null) return String(value);
  const items = Array.isArray(value)
    ? value.map(phpLiteral)
    : Object.entries(value as JsonObject).map(([key, of]) => [`${phpText(key)} => `, phpLiteral(of)]);
  return { open: '[', items, close: ']', padding: '', lastComma: true };
}

export const phpText = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Writes a value of the Go type `any`. */
export function goLiteral(value: Json): Layout {
  if (value === null) return 'nil';
  if (isLarge(value)) return `json.Number("${writeExactJson(value)}")`;
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value))
    return { open: '[]any{', items: value.map(goLiteral), close: '}', padding: '', lastComma: true };
  return composite('map[string]any', members(value, goLiteral));
}

/** Writes a composite literal in Go. */
export function composite(type: string, items: readonly Layout[]): Layout {
  return { open: `${type}{`, items, close: '}', padding: '', lastComma: true };
}

/** Quotes a text for a POSIX shell. */
export const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function members(value: Json, literal: (value: Json) => Layout): Layout[] {
  return Object.entries(value as JsonObject).map(([key, of]) => [`${JSON.stringify(key)}: `, literal(of)]);
}

/** Aligns the values of neighbouring items that have one line, as gofmt does. */
export function alignedValues(items: readonly string[]): readonly string[] {
  const keyOf = (item: string) => (item.includes('\n') ? undefined : /^("[^"]*"|\w+): /.exec(item)?.[0]);
  const result = [...items];
  for (let start = 0; start < items.length; start++) {
    let end = start;
    while (end < items.length && keyOf(items[end] ?? '') !== undefined) end++;
    const width = Math.max(0, ...items.slice(start, end).map((item) => keyOf(item)?.length ?? 0));
    for (let index = start; index < end; index++) {
      const item = items[index] ?? '';
      const key = keyOf(item) ?? '';
      result[index] = key.padEnd(width) + item.slice(key.length);
    }
    start = Math.max(start, end);
  }
  return result;
}
