import type { InlinePart } from '../catalog/inline-parts.js';
import { quoteIdentifier } from '../catalog/quote.js';

/**
 * Removes constraints and expressions of columns from the CREATE TABLE statements in SQL of pg_dump. Removes only text
 * that is equal to a part's text and has the place of such a part. Equal text elsewhere, such as in a literal, is kept.
 * @returns the SQL, and the addresses of the removed parts
 */
export function withoutInlineParts(
  sql: string,
  parts: readonly InlinePart[],
): { readonly sql: string; readonly removed: ReadonlySet<string> } {
  const removed = new Set<string>();
  const byTable = new Map<string, InlinePart[]>();
  for (const part of parts) {
    for (const name of tableNames(part)) byTable.set(name, [...(byTable.get(name) ?? []), part]);
  }
  let edited = '';
  let end = 0;
  for (const { name, from, to, items } of tableBodies(sql)) {
    const own = byTable.get(name) ?? [];
    if (own.length === 0) continue;
    const kept = items.flatMap((item) => withoutParts(item, own, removed));
    edited += `${sql.slice(end, from)}\n    ${kept.join(',\n    ')}\n`;
    end = to;
  }
  return { sql: edited + sql.slice(end), removed };
}

/**
 * Returns whether an entry of `pg_restore --list` is the comment of a constraint. pg_dump assigns the comment to the
 * table, and replaces line breaks in names.
 */
export function isCommentOf(line: string, parts: readonly InlinePart[]): boolean {
  const [, comment] = /^\d+; 0 0 COMMENT (.*)$/.exec(line) ?? [];
  return parts.some(
    ({ schema, table, name, prefixes }) =>
      prefixes === null &&
      spellings(name).some((constraint) =>
        spellings(table).some((on) =>
          comment?.startsWith(`${schema} CONSTRAINT ${constraint} ON ${on} `.replaceAll(/[\r\n]/g, ' ')),
        ),
      ),
  );
}

function withoutParts(item: string, parts: readonly InlinePart[], removed: Set<string>): readonly string[] {
  for (const { address, name, prefixes, clause } of parts) {
    if (removed.has(address)) continue;
    const names = spellings(name);
    if (prefixes === null) {
      if (!names.some((spelling) => item === `CONSTRAINT ${spelling} ${clause}`)) continue;
      removed.add(address);
      return [];
    }
    const starts = names.flatMap((spelling) =>
      prefixes.flatMap((prefix) => (prefix === null ? [] : `${spelling} ${prefix}`)),
    );
    const start = starts.find((text) => item.startsWith(`${text} ${clause}`));
    if (start === undefined) continue;
    const rest = item.slice(`${start} ${clause}`.length);
    if (!/^(?: (?:NOT NULL|COLLATE|CONSTRAINT)\b[^]*)?$/.test(rest)) continue;
    removed.add(address);
    return [start + rest];
  }
  return [item];
}

function tableNames({ schema, table }: InlinePart): readonly string[] {
  return spellings(schema).flatMap((first) => spellings(table).map((second) => `${first}.${second}`));
}

/** Returns a name with and without quotes. Which one pg_dump writes depends on the reserved words that it knows. */
function spellings(name: string): readonly string[] {
  const quoted = quoteIdentifier(name);
  return /^[a-z_][a-z0-9_]*$/.test(name) ? [name, quoted] : [quoted];
}

interface TableBody {
  /** The name as written in the statement. */
  readonly name: string;
  /** The positions after the opening parenthesis and of the closing one. */
  readonly from: number;
  readonly to: number;
  /** The definitions of columns and constraints. */
  readonly items: readonly string[];
}

/**
 * The source of a pattern for SQL of pg_dump. Matches a literal or a quoted name (two quotes inside it look like the end
 * and the next start), or a comment.
 */
export const QUOTED_OR_COMMENT = String.raw`'[^']*'|"[^"]*"|\$(\w*)\$[^]*?\$\1\$|--[^\n]*`;
const TOKEN = new RegExp(`${QUOTED_OR_COMMENT}|[(),;]|^CREATE (?:UNLOGGED )?TABLE `, 'gm');

function* tableBodies(sql: string): Iterable<TableBody> {
  let nameFrom: number | undefined;
  let body: { readonly name: string; readonly from: number; readonly items: string[] } | undefined;
  let itemFrom = 0;
  let depth = 0;
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (token.startsWith('CREATE') && depth === 0) nameFrom = index + token.length;
    else if (token === '(') {
      depth += 1;
      if (depth > 1 || nameFrom === undefined) continue;
      itemFrom = index + 1;
      body = { name: sql.slice(nameFrom, index).trim(), from: itemFrom, items: [] };
      nameFrom = undefined;
    } else if (token === ')' || token === ',') {
      if (body !== undefined && depth === 1) {
        body.items.push(sql.slice(itemFrom, index).trim());
        itemFrom = index + 1;
      }
      if (token === ',') continue;
      depth -= 1;
      if (depth > 0 || body === undefined) continue;
      yield { ...body, to: index };
      body = undefined;
    } else if (token === ';' && depth === 0) nameFrom = undefined;
  }
}
