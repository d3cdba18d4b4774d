import type { Client } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';

/**
 * Finds the objects of the source that a database has already, because its template has them. Compares their kinds and
 * identities.
 * @param target a session in the new database, or in its template
 * @returns the addresses of the objects on the source
 */
export async function findPrepared({
  source,
  target,
}: Readonly<Record<DatabaseSide, Client>>): Promise<ReadonlySet<string>> {
  const { rows: existing } = await target.query<Identified>(IDENTITIES);
  if (existing.length === 0) return new Set();
  const there = new Set(existing.map(({ identity }) => identity));
  const { rows } = await source.query<Identified>(IDENTITIES);
  return new Set(rows.filter(({ identity }) => there.has(identity)).map(({ address }) => address));
}

interface Identified {
  /** The oids of the catalog and of the object. */
  readonly address: string;
  /** The kind and the identity that PostgreSQL gives the object. */
  readonly identity: string;
}

/** Lists the objects that initdb did not create. Catalogs whose objects can depend on nothing are read themselves. */
const IDENTITIES = `
  SELECT o.classid || ' ' || o.objid AS address, i.type || ' ' || i.identity AS identity
    FROM (SELECT classid, objid FROM pg_catalog.pg_depend
          UNION SELECT 'pg_catalog.pg_namespace'::regclass, oid FROM pg_catalog.pg_namespace WHERE nspname !~ '^(pg_|understudy_)'
          UNION SELECT 'pg_catalog.pg_publication'::regclass, oid FROM pg_catalog.pg_publication
          UNION SELECT 'pg_catalog.pg_foreign_data_wrapper'::regclass, oid FROM pg_catalog.pg_foreign_data_wrapper) o
   CROSS JOIN LATERAL pg_catalog.pg_identify_object(o.classid, o.objid, 0) i
   WHERE o.objid >= 16384 AND i.identity IS NOT NULL
`;
