import type { QualifiedName } from './sql-record-writer.js';

// An identifier: quoted, with "" for a quote, or plain (PostgreSQL docs, "Lexical Structure").
const PART = /"((?:[^"\0]|"")+)"|([A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)/y;

/** Reads `t`, `schema.t` or `"Odd Schema"."T"` as SQL does: plain names fold to lower case. @returns undefined when it is none */
export function readSqlName(name: string): QualifiedName | undefined {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    PART.lastIndex = at;
    const match = PART.exec(name);
    if (match === null) return undefined;
    parts.push(match[1] === undefined ? foldCase(match[2] ?? '') : match[1].replaceAll('""', '"'));
    at = PART.lastIndex;
    if (at === name.length) return parts;
    if (name[at] !== '.' || parts.length === 2) return undefined;
    at++;
  }
}

/** A server folds ASCII letters only, whatever its locale, in a UTF-8 database. */
function foldCase(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
