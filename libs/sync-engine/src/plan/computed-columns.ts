import type { Client, ColumnDescription, TableDescription } from '@understudy/postgres';

/**
 * Returns a function that lists a column and, if it is generated, the columns from which it is computed. A rule of the
 * policy for one of them concerns the generated column, too.
 */
export async function readComputed(
  client: Client,
  { oid, columns }: Pick<TableDescription, 'oid' | 'columns'>,
): Promise<(column: ColumnDescription) => readonly ColumnDescription[]> {
  if (!columns.some(({ isGenerated }) => isGenerated)) return (column) => [column];
  const { rows } = await client.query<{ name: string; reads: string[] }>(GENERATED_COLUMNS, [oid]);
  const readBy = new Map(rows.map(({ name, reads }) => [name, new Set(reads)]));
  return (column) => [column, ...columns.filter(({ name }) => readBy.get(column.name)?.has(name) === true)];
}

/**
 * The dependency of a generated column belongs to the column before PostgreSQL 15, and to its default from 15
 * on. $1: the table's oid.
 */
const GENERATED_COLUMNS = `
  SELECT a.attname AS name, array_agg(r.attname::text) AS reads
    FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum
    JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = a.attrelid
     AND (d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = a.attrelid AND d.objsubid = a.attnum
       OR d.classid = 'pg_catalog.pg_attrdef'::regclass AND d.objid = e.oid)
    JOIN pg_catalog.pg_attribute r ON r.attrelid = a.attrelid AND r.attnum = d.refobjsubid AND r.attnum <> a.attnum
   WHERE a.attrelid = $1::oid AND a.attgenerated <> ''
   GROUP BY a.attname
`;
