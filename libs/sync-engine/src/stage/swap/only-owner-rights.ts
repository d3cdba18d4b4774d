import { quoteTable, type Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';

/**
 * Removes the rights that ALTER DEFAULT PRIVILEGES gave on new tables and their sequences. The GRANT and REVOKE
 * statements of a dump assume that, before them, the owner has all rights and other roles have none.
 */
export async function keepOnlyOwnerRights(client: Client, names: readonly TableName[]): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(RESET_RIGHTS, [names.map(quoteTable)]);
  if (rows.length > 0) await client.query(rows.map(({ sql }) => sql).join('; '));
}

/**
 * Generates statements that reset the rights on tables and on their sequences. $1: quoted names of the
 * tables.
 */
const RESET_RIGHTS = `
  SELECT pg_catalog.format('REVOKE ALL ON %1$s %2$s FROM %3$s CASCADE; GRANT ALL ON %1$s %2$s TO %4$I',
           CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::pg_catalog.regclass, g.grantees, o.rolname) AS sql
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_roles o ON o.oid = c.relowner
    CROSS JOIN LATERAL (
      SELECT pg_catalog.string_agg(DISTINCT coalesce(pg_catalog.quote_ident(r.rolname), 'PUBLIC'), ', ') AS grantees
        FROM pg_catalog.aclexplode(c.relacl) a LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
    ) AS g
   WHERE g.grantees IS NOT NULL
     AND (c.oid IN (SELECT n::pg_catalog.regclass FROM pg_catalog.unnest($1::text[]) AS n)
          OR c.relkind = 'S' AND EXISTS (
               SELECT FROM pg_catalog.pg_depend d
                WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')
                  AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
                  AND d.refobjid IN (SELECT n::pg_catalog.regclass FROM pg_catalog.unnest($1::text[]) AS n)))
`;
