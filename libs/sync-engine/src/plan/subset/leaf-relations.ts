import { partitionTree } from '@understudy/postgres';
import { quoteTable, type Client } from '@understudy/postgres';

/**
 * The quoted names, by oid, of the relations that contain rows. These are plain tables and leaf partitions.
 */
export type RelationNames = ReadonlyMap<number, string>;

/**
 * Reads the names of tables, and of the leaf partitions of partitioned tables.
 * @returns `foreignIn` has the oids of the tables with a foreign table as a leaf partition. The rows of a
 * foreign table have no fixed location.
 */
export async function readRelationNames(
  client: Client,
  oids: readonly string[],
): Promise<{ readonly names: RelationNames; readonly foreignIn: readonly string[] }> {
  const { rows } = await client.query<{
    root: string;
    oid: string;
    schema: string;
    name: string;
    kind: string;
  }>(RELATIONS, [oids]);
  return {
    names: new Map(rows.map(({ oid, schema, name }) => [Number(oid), quoteTable({ schema, table: name })])),
    foreignIn: rows.filter(({ kind }) => kind === 'f').map(({ root }) => root),
  };
}

/** $1: oids of tables. */
const RELATIONS = `
  SELECT root.oid::text AS root, c.oid::text AS oid, n.nspname AS schema, c.relname AS name, c.relkind::text AS kind
    FROM pg_catalog.pg_class root
   CROSS JOIN LATERAL (
           SELECT root.oid AS relid WHERE root.relkind <> 'p'
           UNION ALL
           SELECT t.relid::oid FROM ${partitionTree('root.oid')} t WHERE t.isleaf AND root.relkind = 'p'
         ) leaf
    JOIN pg_catalog.pg_class c ON c.oid = leaf.relid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE root.oid = ANY ($1::oid[])
`;
