import type { QualifiedName } from './sql-record-writer.js';

// Matches an identifier, either quoted, with "" for a quote, or plain (PostgreSQL docs, "Lexical Structure").
const PART = /"((?:[^"\0]|"")+)"|([A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)/y;

/**
 * Parses a name such as `t`, `schema.t` or `"Odd Schema"."T"`. As in SQL, folds names without quotes to lower case.
 * @returns undefined if the text is not a valid name
 */
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

/** Folds ASCII letters to lower case. In a UTF-8 database, the server folds no other letters, in any locale. */
function foldCase(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
