/**
 * An array as PostgreSQL reads it (docs, "Array Input and Output Syntax"): `{1,"a \"b\"",NULL,{…}}`. Texts are always quoted, so that
 * none is taken for NULL; objects are JSON text.
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

/** Integers that JSON.stringify refuses become texts. */
function jsonText(value: object): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item));
}
