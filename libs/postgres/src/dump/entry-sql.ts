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
 * can contain a line like the comment before an entry. Such a line does not count. pg_restore sets the tablespace and the
 * access method only where they change, before the comment of an entry. Each relation gets those that are in force, so
 * entries can run in any session.
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
    entries: withDefaults(
      all.slice(0, found[0]?.start),
      found.map(({ entry, start }, i) => ({ ...entry, sql: all.slice(start, found[i + 1]?.start) })),
    ),
  };
}

/** @param head the SQL before the first entry */
function withDefaults(head: string, entries: readonly EntrySql[]): readonly EntrySql[] {
  const inForce = new Map<string, string>();
  const read = (sql: string) => {
    for (const [line, name = ''] of (DEFAULTS.exec(sql)?.[0] ?? '').matchAll(DEFAULT))
      inForce.set(name, line);
  };
  read(head);
  return entries.map((entry) => {
    const own = WITH_STORAGE.test(entry.type) ? [...inForce.values()] : [];
    read(entry.sql);
    return { ...entry, sql: [...own, entry.sql.replace(DEFAULTS, '\n')].join('\n') };
  });
}

/** The settings at the end of an entry, and the first line of the next comment. */
const DEFAULTS = /\n(?:SET default_\w+ = .*;\s+)+(?:--\s*)?$/;
const DEFAULT = /^SET (default_\w+) = .*;$/gm;
const WITH_STORAGE = /^(?:TABLE|INDEX|CONSTRAINT|MATERIALIZED VIEW) /;

/** The last line of the output of newer releases, which only psql runs. */
const UNRESTRICT = /\n\\unrestrict \S+\s*$/;

function keyOf(id: string, address: string): string {
  return `${id} ${address}`;
}
