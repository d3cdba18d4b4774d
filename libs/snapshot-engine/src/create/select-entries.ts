import {
  chooseEntries,
  DEFINITION_CLOSURE,
  FOREIGN_KEYS_ELSEWHERE,
  INHERITED_PARTS,
  type CatalogObject,
  type Client,
} from '@understudy/postgres';

/**
 * Selects the dump entries of the chosen tables, their partitions and everything that their definitions need
 * (schemas, types, functions, extensions). Other tables are left out, and so are foreign keys to them and what chosen
 * partitions inherit from them.
 * @param client a session in the transaction of the dump's snapshot
 * @param oids the oids of the chosen tables
 * @returns a function that filters the lines of `pg_restore --list --verbose`
 */
export async function selectEntries(
  client: Client,
  oids: readonly string[],
): Promise<(lines: readonly string[]) => readonly string[]> {
  const closure = await client.query<CatalogObject & { names: string[] }>(DEFINITION_CLOSURE, [oids, []]);
  const { rows: outgoing } = await client.query<{ oid: string }>(FOREIGN_KEYS_ELSEWHERE, [oids, oids]);
  const outside = new Set(outgoing.map(({ oid }) => oid));
  // pg_dump sets the state of a trigger that a chosen partition inherits, but only the partitioned table creates it.
  const { rows: inherited } = await client.query<CatalogObject>(INHERITED_PARTS, [oids]);
  const objects = closure.rows
    .filter(({ classid, oid }) => classid !== PG_CONSTRAINT || !outside.has(oid))
    .filter(
      (object) => !inherited.some(({ classid, oid }) => classid === object.classid && oid === object.oid),
    );
  return (lines) => {
    const { creating, finishing } = chooseEntries(lines, objects);
    const chosen = new Set([...creating, ...finishing]);
    return lines.filter((line) => chosen.has(line));
  };
}

/** Oid of the catalog `pg_constraint`, which is the same on every server. */
const PG_CONSTRAINT = '2606';
