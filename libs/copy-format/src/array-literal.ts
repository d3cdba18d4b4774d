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
  if (typeof item === 'object' && item !== null) return quoted(jsonText(item));
  if (typeof item === 'boolean' || typeof item === 'bigint' || Number.isFinite(item)) return String(item);
  return 'NULL';
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Converts an object to JSON. Bigints, which JSON.stringify rejects, become strings. */
function jsonText(value: object): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item));
}
