import { quoteIdentifier, quoteLiteral, quoteTable, type Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import { STATISTICS_OF, TABLE_FACTS } from './table-facts.sql.js';

/**
 * Returns digests of the definitions of tables in their real schemas, in the order of `names`. A digest is
 * undefined if its table does not exist.
 */
export async function tableFacts(
  client: Client,
  names: readonly TableName[],
): Promise<readonly (string | undefined)[]> {
  const oids = await oidsOf(client, names);
  const { rows } = await client.query<{ oid: string; digest: string }>(TABLE_FACTS, [oids]);
  const digests = new Map(rows.map(({ oid, digest }) => [oid, digest]));
  return oids.map((oid) => (oid === null ? undefined : digests.get(oid)));
}

/** An extended statistics object. Its schema can differ from the schema of its table. */
export interface ExtendedStatistics extends TableName {
  /**
   * SQL that creates the statistics again. The SQL contains the table's name, so after a swap it applies to the
   * replacement.
   */
  readonly sql: string;
}

export async function extendedStatistics(
  client: Client,
  names: readonly TableName[],
): Promise<readonly ExtendedStatistics[]> {
  const { rows } = await client.query<{
    definition: string;
    schema: string;
    table: string;
    target: number | null;
    owner: string;
    comment: string | null;
  }>(STATISTICS_OF, [await oidsOf(client, names)]);
  return rows.map(({ definition, schema, table, target, owner, comment }) => {
    const name = quoteTable({ schema, table });
    const statements = [
      definition,
      `ALTER STATISTICS ${name} OWNER TO ${quoteIdentifier(owner)}`,
      ...(target === null || target < 0 ? [] : [`ALTER STATISTICS ${name} SET STATISTICS ${target}`]),
      ...(comment === null ? [] : [`COMMENT ON STATISTICS ${name} IS ${quoteLiteral(comment)}`]),
    ];
    return { schema, table, sql: statements.map((statement) => `${statement};\n`).join('') };
  });
}

async function oidsOf(client: Client, names: readonly TableName[]): Promise<readonly (string | null)[]> {
  const { rows } = await client.query<{ oid: string | null }>(
    `SELECT pg_catalog.to_regclass(t.name)::oid::text AS oid
       FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS t (name, n) ORDER BY t.n`,
    [names.map(quoteTable)],
  );
  return rows.map(({ oid }) => oid);
}
