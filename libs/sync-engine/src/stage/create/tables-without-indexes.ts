import { quoteIdentifier, quoteLiteral, quoteTable, type Client } from '@understudy/postgres';
import { indexStatements, type IndexRow, INDEXES_IN } from './index-definitions.js';
import { isTableItself, type StagedTable } from '../ledger/staging-ledger.js';
import { stagingTable } from '../staging-names.js';

/**
 * Drops the indexes and keys of hidden tables, and records in the ledger the SQL that creates them again and analyzes
 * the tables. Copying rows into a table without indexes and building each index afterwards is faster than updating
 * indexes for each row.
 * @param tables the staged tables. The ledger assigns an index of a partition to the partitioned table.
 */
export async function removeIndexes(
  client: Client,
  jobId: string,
  tables: readonly StagedTable[],
  hiddenSchemas: readonly string[],
): Promise<void> {
  const { rows } = await client.query<IndexRow>(INDEXES_IN, [hiddenSchemas]);
  const indexOf = new Map(
    tables.map(({ tableIndex, into }) => [JSON.stringify([into.schema, into.table]), tableIndex]),
  );
  const builds = new Map<string, TableBuild>();
  const drops: string[] = [];
  for (const row of rows) {
    const build = builds.get(row.relation) ?? {
      tableIndex: indexOf.get(JSON.stringify([row.root_schema, row.root_table])),
      isPartition: row.is_partition,
      hasExpressions: false,
      building: [],
      attaching: [],
    };
    build.hasExpressions ||= row.has_expressions;
    builds.set(row.relation, build);
    const { building, attaching } = indexStatements(row);
    build.building.push(...building);
    build.attaching.push(...attaching);
    drops.push(
      row.constraint_name === null
        ? `DROP INDEX ${row.index}`
        : `ALTER TABLE ONLY ${row.relation} DROP CONSTRAINT ${quoteIdentifier(row.constraint_name)}`,
    );
  }
  const all = [...builds.values()];
  for (const { tableIndex, into, kind } of tables) {
    if (!isTableItself(kind)) continue;
    const analyze = `ANALYZE ${quoteTable(into)}`;
    // The statistics of a partitioned table include those of its partitions, so its own build comes after theirs.
    const own = all.find((build) => build.tableIndex === tableIndex && !build.isPartition);
    if (own === undefined) {
      all.push({ tableIndex, isPartition: false, hasExpressions: false, building: [analyze], attaching: [] });
    } else if (own.hasExpressions) {
      // ANALYZE also computes the statistics of the expressions of indexes that exist.
      own.building.push(analyze);
    } else {
      // ANALYZE uses one core. At the start of the build, another session reads the rows at the same time.
      own.building.unshift(analyze);
    }
  }
  if (all.length === 0) return;
  const values = all.map(
    ({ tableIndex, building, attaching }, n) =>
      `(${n + 1}, ${tableIndex ?? 'NULL'}, ${[building, attaching].map((sql) => quoteLiteral(sql.join(';\n'))).join(', ')}, false)`,
  );
  const recording = `INSERT INTO ${stagingTable(jobId, 'build')} VALUES ${values.join(', ')}`;
  await client.query([...drops, recording].join('; '));
}

/** The statements that one transaction runs after the rows of a table or a partition are copied. */
interface TableBuild {
  readonly tableIndex: number | undefined;
  readonly isPartition: boolean;
  hasExpressions: boolean;
  readonly building: string[];
  readonly attaching: string[];
}
