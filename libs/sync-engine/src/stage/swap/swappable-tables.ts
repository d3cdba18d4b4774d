import type { Client } from '@understudy/postgres';
import { SWAP_CANDIDATES } from './swappable-tables.sql.js';

/**
 * Finds the listed tables that can be swapped. A table cannot be swapped if an object outside the swapped tables
 * depends on it. Examples of such objects are a view, a function that uses the table's row type, a publication, and a
 * foreign key of a table that is not swapped.
 * @param listed the oids of all existing tables of the job
 * @returns the oids of the tables that can be swapped
 */
export async function swappableTables(
  client: Client,
  listed: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<CandidateRow>(SWAP_CANDIDATES, [listed]);
  const tableOf = new Map(
    rows.flatMap(({ kind, root, address }) => (kind === 'part' ? [[address, root]] : [])),
  );
  const staying = new Set(rows.flatMap(({ kind, root }) => (kind === 'stays' ? [root] : [])));
  const dependsOn = new Map<string, Set<string>>();
  for (const { kind, root, address } of rows) {
    if (kind !== 'dependent') continue;
    const table = tableOf.get(address);
    if (table === undefined) staying.add(root);
    else dependsOn.set(table, (dependsOn.get(table) ?? new Set()).add(root));
  }
  // If a table stays, the tables on which it depends stay too. The loop also visits the tables that it adds.
  for (const table of staying) for (const other of dependsOn.get(table) ?? []) staying.add(other);
  return new Set([...tableOf.values()].filter((table) => !staying.has(table)));
}

interface CandidateRow {
  kind: 'part' | 'dependent' | 'stays';
  root: string;
  /** The oid of the object's catalog and the oid of the object, in one text. */
  address: string;
}
