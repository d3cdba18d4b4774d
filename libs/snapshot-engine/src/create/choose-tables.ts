import { parseTableName } from '@understudy/postgres';
import type { SourceTable } from './source-catalog.js';
import { SnapshotError } from '../job/snapshot-failure.js';

/** A table that a snapshot contains, together with its partitions. */
export interface ChosenTable {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** Size of the table and its partitions. */
  readonly bytes: number;
}

/**
 * Looks up the tables that a snapshot command lists.
 * @param names table names in SQL syntax; empty for all tables. Duplicates are ignored.
 * @throws SnapshotError `table_not_found`, or `permission_denied` if the role cannot read all rows of a table.
 * If the table is in `names`, the failure contains its index in `names`.
 */
export function chooseTables(
  tables: readonly SourceTable[],
  names: readonly string[],
): readonly ChosenTable[] {
  const byName = new Map(tables.map((table) => [keyOf(table.schema, table.name), table]));
  const partitionsOf = partitionsByAncestor(tables);
  const listed = names.map((name, tableIndex) => {
    const parsed = parseTableName(name);
    const table = parsed && byName.get(keyOf(parsed.schema, parsed.table));
    if (table === undefined) throw new SnapshotError({ code: 'table_not_found', side: 'source', tableIndex });
    return { table, tableIndex };
  });
  const roots = tables
    .filter(({ isPartition }) => !isPartition)
    .map((table) => ({ table, tableIndex: undefined }));
  const chosen = new Map<string, ChosenTable>();
  for (const { table, tableIndex } of names.length === 0 ? roots : listed) {
    const whole = [table, ...(partitionsOf.get(table.oid) ?? [])];
    if (!whole.every(({ readable }) => readable)) {
      const location = tableIndex === undefined ? {} : { tableIndex };
      throw new SnapshotError({ code: 'permission_denied', side: 'source', ...location });
    }
    const bytes = whole.reduce((sum, part) => sum + part.bytes, 0);
    chosen.set(table.oid, { oid: table.oid, schema: table.schema, name: table.name, bytes });
  }
  return [...chosen.values()];
}

/** @returns the oids of the chosen tables and their partitions */
export function oidsWithRows(
  tables: readonly SourceTable[],
  chosen: readonly ChosenTable[],
): ReadonlySet<string> {
  const named = new Set(chosen.map(({ oid }) => oid));
  const wanted = tables.filter(
    ({ oid, ancestors }) => named.has(oid) || ancestors.some((one) => named.has(one)),
  );
  return new Set(wanted.map(({ oid }) => oid));
}

function partitionsByAncestor(tables: readonly SourceTable[]): ReadonlyMap<string, readonly SourceTable[]> {
  const found = new Map<string, SourceTable[]>();
  for (const table of tables) {
    for (const ancestor of table.ancestors) {
      const partitions = found.get(ancestor);
      if (partitions === undefined) found.set(ancestor, [table]);
      else partitions.push(table);
    }
  }
  return found;
}

function keyOf(schema: string, name: string): string {
  return JSON.stringify([schema, name]);
}
