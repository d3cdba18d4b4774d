import { quoteIdentifier, quoteLiteral, type Client } from '@understudy/postgres';
import { indexStatements, type IndexRow, INDEXES_IN } from './index-definitions.js';
import type { StagedTable } from '../ledger/staging-ledger.js';
import { stagingTable } from '../staging-names.js';

/**
 * Drops the indexes and keys of hidden tables, and records in the ledger the SQL that creates them again. Copying rows
 * into a table without indexes and building each index afterwards is faster than updating indexes for each row.
 * @param tables the staged tables. The ledger assigns an index of a partition to the partitioned table.
 */
export async function removeIndexes(
  client: Client,
  jobId: string,
  tables: readonly StagedTable[],
  hiddenSchemas: readonly string[],
): Promise<void> {
  const { rows } = await client.query<IndexRow>(INDEXES_IN, [hiddenSchemas]);
  if (rows.length === 0) return;
  const indexOf = new Map(
    tables.map(({ tableIndex, into }) => [JSON.stringify([into.schema, into.table]), tableIndex]),
  );
  const indexedTables = new Map<
    string,
    { tableIndex: number | undefined; building: string[]; attaching: string[] }
  >();
  const drops: string[] = [];
  for (const row of rows) {
    const indexedTable = indexedTables.get(row.relation) ?? {
      tableIndex: indexOf.get(JSON.stringify([row.root_schema, row.root_table])),
      building: [],
      attaching: [],
    };
    indexedTables.set(row.relation, indexedTable);
    const { building, attaching } = indexStatements(row);
    indexedTable.building.push(...building);
    indexedTable.attaching.push(...attaching);
    drops.push(
      row.constraint_name === null
        ? `DROP INDEX ${row.index}`
        : `ALTER TABLE ONLY ${row.relation} DROP CONSTRAINT ${quoteIdentifier(row.constraint_name)}`,
    );
  }
  const builds = [...indexedTables.values()].map(
    ({ tableIndex, building, attaching }, n) =>
      `(${n + 1}, ${tableIndex ?? 'NULL'}, ${[building, attaching].map((sql) => quoteLiteral(sql.join(';\n'))).join(', ')}, false)`,
  );
  await client.query(
    `${drops.join('; ')}; INSERT INTO ${stagingTable(jobId, 'build')} VALUES ${builds.join(', ')}`,
  );
}
