import { partitionTree } from '@understudy/postgres';
import { quoteTable, type Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';

/**
 * Tests whether a crash of the server has emptied an unlogged table or partition. The catalogs survive a crash, so they
 * still count its rows, but its file is empty. TRUNCATE and VACUUM update both.
 */
export async function hasLostRows(client: Client, tables: readonly TableName[]): Promise<boolean> {
  const { rows } = await client.query<{ lost: boolean }>(LOST, [tables.map(quoteTable)]);
  return rows[0]?.lost === true;
}

/** $1: the quoted names of the tables. */
const LOST = `
  WITH listed AS (SELECT pg_catalog.to_regclass(name) AS oid FROM pg_catalog.unnest($1::text[]) AS name),
  part AS (SELECT oid FROM listed UNION SELECT t.relid FROM listed CROSS JOIN ${partitionTree('listed.oid')} t)
  SELECT EXISTS (
    SELECT FROM part JOIN pg_catalog.pg_class c ON c.oid = part.oid
     WHERE c.relkind = 'r' AND c.relpersistence = 'u' AND c.reltuples > 0 AND pg_catalog.pg_relation_size(c.oid) = 0) AS lost
`;
