import { quoteIdentifier, quoteLiteral, type Client } from '@understudy/postgres';
import { indexStatements, type IndexRow, INDEXES_IN } from './index-definitions.js';
import type { StagedTable } from '../ledger/staging-ledger.js';
import { stagingTable } from '../staging-names.js';

/**
 * Takes the indexes and keys off moved tables, and notes how to make them again: rows go into a bare heap, and an index is built
 * once, from all of them. What the catalog says of an index names everything where it is now, so building needs no move.
 * @param tables those of the job; an index of one of their partitions counts as the table's own
 */
export async function bareHeaps(
  client: Client,
  jobId: string,
  tables: readonly StagedTable[],
  shadows: readonly string[],
): Promise<void> {
  const { rows } = await client.query<IndexRow>(INDEXES_IN, [shadows]);
  if (rows.length === 0) return;
  const indexOf = new Map(
    tables.map(({ tableIndex, into }) => [JSON.stringify([into.schema, into.table]), tableIndex]),
  );
  const heaps = new Map<
    string,
    { tableIndex: number | undefined; building: string[]; attaching: string[] }
  >();
  const drops: string[] = [];
  for (const row of rows) {
    const heap = heaps.get(row.relation) ?? {
      tableIndex: indexOf.get(JSON.stringify([row.root_schema, row.root_table])),
      building: [],
      attaching: [],
    };
    heaps.set(row.relation, heap);
    const { building, attaching } = indexStatements(row);
    heap.building.push(...building);
    heap.attaching.push(...attaching);
    drops.push(
      row.constraint_name === null
        ? `DROP INDEX ${row.index}`
        : `ALTER TABLE ONLY ${row.relation} DROP CONSTRAINT ${quoteIdentifier(row.constraint_name)}`,
    );
  }
  const builds = [...heaps.values()].map(
    ({ tableIndex, building, attaching }, n) =>
      `(${n + 1}, ${tableIndex ?? 'NULL'}, ${[building, attaching].map((sql) => quoteLiteral(sql.join(';\n'))).join(', ')}, false)`,
  );
  await client.query(
    `${drops.join('; ')}; INSERT INTO ${stagingTable(jobId, 'build')} VALUES ${builds.join(', ')}`,
  );
}
