import { quoteIdentifier, quoteLiteral } from '../../postgres/quote.js';
import type { Client } from '../../postgres/session.js';
import type { StagedTable } from './staging-ledger.js';
import { stagingTable } from './staging-names.js';

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
  const heaps = new Map<string, { tableIndex: number | undefined; sql: string[] }>();
  const drops: string[] = [];
  for (const row of rows) {
    const heap = heaps.get(row.relation) ?? {
      tableIndex: indexOf.get(JSON.stringify([row.root_schema, row.root_table])),
      sql: [],
    };
    heaps.set(row.relation, heap);
    heap.sql.push(...buildStatements(row));
    drops.push(
      row.constraint_name === null
        ? `DROP INDEX ${row.index}`
        : `ALTER TABLE ONLY ${row.relation} DROP CONSTRAINT ${quoteIdentifier(row.constraint_name)}`,
    );
  }
  const builds = [...heaps.values()].map(
    ({ tableIndex, sql }, n) =>
      `(${n + 1}, ${tableIndex ?? 'NULL'}, ${quoteLiteral(sql.join(';\n'))}, false)`,
  );
  await client.query(
    `${drops.join('; ')}; INSERT INTO ${stagingTable(jobId, 'build')} VALUES ${builds.join(', ')}`,
  );
}

interface IndexRow {
  /** Quoted and qualified, like `index`. */
  relation: string;
  index: string;
  index_name: string;
  root_schema: string;
  root_table: string;
  index_sql: string;
  constraint_name: string | null;
  constraint_sql: string | null;
  options: string | null;
  /** Actions of ALTER INDEX. */
  statistics: string[];
  is_clustered: boolean;
  is_identity: boolean;
  index_comment: string | null;
  constraint_comment: string | null;
}

function buildStatements(row: IndexRow): string[] {
  const { relation, index, constraint_name: constraint, constraint_sql: constraintSql } = row;
  const name = constraint === null ? '' : quoteIdentifier(constraint);
  const made =
    constraint === null
      ? [row.index_sql]
      : [
          `ALTER TABLE ONLY ${relation} ADD CONSTRAINT ${name} ${constraintSql ?? ''}`,
          ...(row.options === null ? [] : [`ALTER INDEX ${index} SET (${row.options})`]),
        ];
  return [
    ...made,
    ...row.statistics.map((action) => `ALTER INDEX ${index} ${action}`),
    ...(row.is_clustered
      ? [`ALTER TABLE ONLY ${relation} CLUSTER ON ${quoteIdentifier(row.index_name)}`]
      : []),
    ...(row.is_identity
      ? [`ALTER TABLE ONLY ${relation} REPLICA IDENTITY USING INDEX ${quoteIdentifier(row.index_name)}`]
      : []),
    ...(row.index_comment === null
      ? []
      : [`COMMENT ON INDEX ${index} IS ${quoteLiteral(row.index_comment)}`]),
    ...(row.constraint_comment === null
      ? []
      : [`COMMENT ON CONSTRAINT ${name} ON ${relation} IS ${quoteLiteral(row.constraint_comment)}`]),
  ];
}

/** $1: schemas. Indexes of their plain tables; those of partitioned tables hold nothing and stay. Keys first: other things may lean on them. */
const INDEXES_IN = `
  SELECT i.indrelid::regclass::text AS relation, i.indexrelid::regclass::text AS index, x.relname AS index_name,
         root.nspname AS root_schema, root.relname AS root_table,
         pg_catalog.pg_get_indexdef(i.indexrelid) AS index_sql, k.conname AS constraint_name,
         pg_catalog.pg_get_constraintdef(k.oid) AS constraint_sql,
         (SELECT pg_catalog.string_agg(o.option_name || ' = ' || pg_catalog.quote_literal(o.option_value), ', ')
            FROM pg_catalog.pg_options_to_table(x.reloptions) o) AS options,
         ARRAY(SELECT 'ALTER COLUMN ' || a.attnum || ' SET STATISTICS ' || a.attstattarget FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = i.indexrelid AND a.attstattarget >= 0) AS statistics,
         i.indisclustered AS is_clustered, i.indisreplident AS is_identity,
         pg_catalog.obj_description(i.indexrelid, 'pg_class') AS index_comment,
         pg_catalog.obj_description(k.oid, 'pg_constraint') AS constraint_comment
    FROM pg_catalog.pg_index i
    JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
    JOIN pg_catalog.pg_class t ON t.oid = i.indrelid AND t.relkind = 'r'
    JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace AND n.nspname = ANY ($1)
    LEFT JOIN pg_catalog.pg_constraint k ON k.conindid = i.indexrelid AND k.conrelid = i.indrelid AND k.contype IN ('p', 'u', 'x')
    CROSS JOIN LATERAL (
      SELECT rn.nspname, rc.relname FROM pg_catalog.pg_class rc JOIN pg_catalog.pg_namespace rn ON rn.oid = rc.relnamespace
       WHERE rc.oid = coalesce(pg_catalog.pg_partition_root(t.oid), t.oid)) AS root
   ORDER BY t.oid, k.contype = 'p' DESC, k.oid, i.indexrelid
`;
