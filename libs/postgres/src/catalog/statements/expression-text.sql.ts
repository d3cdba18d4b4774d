/**
 * Writes SQL for the text of an expression without casts, brackets and spaces. A server can write these differently after
 * it has read its own text. Other versions write some expressions differently in other ways.
 * @param text SQL for the text that the server prints
 */
export function withoutCasts(text: string): string {
  return `pg_catalog.regexp_replace(${text}, ${CASTS_AND_BRACKETS}, '', 'g')`;
}

const CASTS_AND_BRACKETS = `$re$::(?:"(?:[^"]|"")*"|[a-z0-9_.$ ]|\\([0-9, ]+\\)|\\[\\])+|[][()[:space:]]$re$`;

/** Writes SQL for the text of an expression of one table without casts and schemas, which an extension can change. */
export function withoutSchemas(text: string): string {
  return `pg_catalog.regexp_replace(${withoutCasts(text)}, ${SCHEMA}, '', 'g')`;
}

const SCHEMA = `$re$("([^"]|"")*"|[a-z_][a-z0-9_$]*)\\.$re$`;
