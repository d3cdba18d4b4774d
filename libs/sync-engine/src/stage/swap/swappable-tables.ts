import type { Client } from '@understudy/postgres';
import { SWAP_CANDIDATES } from './swappable-tables.sql.js';

/**
 * Listed tables that another table of the same definition can stand in for, unnoticed by whatever else the database holds. Whatever leans on
 * a table and is no part of one that is swapped (a view, a foreign key of a table that stays, a function with its row type, a
 * publication) would lose it.
 * @param listed oids of all listed tables that exist
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
    if (kind !== 'leaning') continue;
    const table = tableOf.get(address);
    if (table === undefined) staying.add(root);
    else dependsOn.set(table, (dependsOn.get(table) ?? new Set()).add(root));
  }
  // A set is walked to its end, with what is added meanwhile: what a staying table depends on stays too.
  for (const table of staying) for (const other of dependsOn.get(table) ?? []) staying.add(other);
  return new Set([...tableOf.values()].filter((table) => !staying.has(table)));
}

interface CandidateRow {
  kind: 'part' | 'leaning' | 'stays';
  root: string;
  /** Catalog and object. */
  address: string;
}
