import {
  chooseEntries,
  DEFINITION_CLOSURE,
  FOREIGN_KEYS_ELSEWHERE,
  type CatalogObject,
  type Client,
} from '@understudy/postgres';

/**
 * What of a dump of the whole database belongs to the chosen tables: they, their partitions, and all that their definition needs (schemas, types,
 * functions, extensions), but no other table: foreign keys to those are left out.
 * @param oids of the chosen tables @param client in the transaction of the dump's snapshot
 * @returns a function of `pg_restore --list --verbose`'s lines
 */
export async function selectEntries(
  client: Client,
  oids: readonly string[],
): Promise<(lines: readonly string[]) => readonly string[]> {
  const closure = await client.query<CatalogObject & { names: string[] }>(DEFINITION_CLOSURE, [oids]);
  const { rows: leadingOut } = await client.query<{ oid: string }>(FOREIGN_KEYS_ELSEWHERE, [oids, oids]);
  const outside = new Set(leadingOut.map(({ oid }) => oid));
  const objects = closure.rows.filter(({ classid, oid }) => classid !== PG_CONSTRAINT || !outside.has(oid));
  return (lines) => {
    const { creating, finishing } = chooseEntries(lines, objects);
    const chosen = new Set([...creating, ...finishing]);
    return lines.filter((line) => chosen.has(line));
  };
}

/** Its oid, the same on every server. */
const PG_CONSTRAINT = '2606';
