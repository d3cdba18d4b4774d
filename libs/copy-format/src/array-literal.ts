import { decimalText, hasMembers, isExactDecimal, writeExactJson } from '@understudy/expression';

/**
 * Returns an array literal of PostgreSQL (docs, "Array Input and Output Syntax"): `{1,"a \"b\"",NULL,{…}}`. Texts are
 * always quoted, so the text `NULL` stays a text. Objects become JSON text.
 */
export function arrayLiteral(items: readonly unknown[]): string {
  return `{${items.map(element).join(',')}}`;
}

function element(item: unknown): string {
  if (Array.isArray(item)) return arrayLiteral(item);
  if (typeof item === 'string') return quoted(item);
  if (hasMembers(item)) return quoted(writeExactJson(item));
  if (isExactDecimal(item)) return decimalText(item);
  if (typeof item === 'boolean' || typeof item === 'bigint' || Number.isFinite(item)) return String(item);
  return 'NULL';
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
