import type { DumpEntry } from './choose-entries.js';
import { QUOTED_OR_COMMENT } from './without-inline-parts.js';

/** An entry of a dump with its SQL. */
export interface EntrySql extends DumpEntry {
  /** The statements of the entry, after the comment with which pg_restore names the entry. */
  readonly sql: string;
}

/** The SQL of a dump, entry by entry. */
export interface SeparateSql {
  /** The settings that each session needs before it runs an entry. */
  readonly settings: string;
  readonly entries: readonly EntrySql[];
}

// pg_restore --verbose writes this line before the names of an entry.
const HEADER = /^-- TOC entry (\d+) \(class (\d+) OID (\d+)\)$/;

const TOKEN = new RegExp(QUOTED_OR_COMMENT, 'g');

/**
 * Divides the output of `pg_restore --verbose --file=-` into the SQL of each entry. The body of a function or a literal
 * can contain a line like the comment before an entry. Such a line does not count. pg_restore writes the tablespace and
 * the access method of an entry before its comment. They stay at the end of the entry before it, so run tables in the
 * given order, in one session.
 */
export function separateSql(sql: string, listed: readonly DumpEntry[]): SeparateSql {
  const entries = new Map(listed.map((entry) => [keyOf(entry.id, entry.address ?? '0 0'), entry]));
  const found: { readonly entry: DumpEntry; readonly start: number }[] = [];
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    const [, id = '', classid = '', oid = ''] = HEADER.exec(token) ?? [];
    const entry = entries.get(keyOf(id, classid === '0' ? '0 0' : `${classid} ${oid}`));
    if (entry !== undefined) found.push({ entry, start: index });
  }
  const end = sql.search(UNRESTRICT);
  const all = end < 0 ? sql : sql.slice(0, end);
  return {
    settings: all.slice(0, found[0]?.start),
    entries: found.map(({ entry, start }, i) => ({ ...entry, sql: all.slice(start, found[i + 1]?.start) })),
  };
}

/** The last line of the output of newer releases, which only psql runs. */
const UNRESTRICT = /\n\\unrestrict \S+\s*$/;

function keyOf(id: string, address: string): string {
  return `${id} ${address}`;
}
