import { MAY_END, SESSIONS } from '../blocking-uses.js';

/**
 * Lists what will be in the way when a database is replaced. $1: the name of the database, which need not exist. `sql` is
 * a statement for an administrator.
 */
export const SWAP_BLOCKERS = `
  WITH me AS (SELECT oid, rolname, rolsuper, rolcreatedb FROM pg_catalog.pg_roles WHERE rolname = current_user),
       target AS (SELECT * FROM pg_catalog.pg_database WHERE datname = $1),
       sessions AS (
         SELECT r.rolname, r.rolsuper, pg_catalog.array_agg(a.pid ORDER BY a.pid) AS pids
           FROM ${SESSIONS}
          WHERE a.datid = (SELECT oid FROM target) AND a.usesysid IS NOT NULL AND NOT ${MAY_END}
          GROUP BY 1, 2)
  SELECT 'no_createdb' AS kind, rolname AS name, pg_catalog.format('ALTER ROLE %I CREATEDB;', rolname) AS sql
    FROM me WHERE NOT (rolsuper OR rolcreatedb)
   UNION ALL
  SELECT 'not_owner', o.rolname, CASE WHEN o.rolsuper
           THEN pg_catalog.format('ALTER DATABASE %I OWNER TO %I;', t.datname, me.rolname)
           ELSE pg_catalog.format('GRANT %I TO %I;', o.rolname, me.rolname) END
    FROM target t JOIN pg_catalog.pg_roles o ON o.oid = t.datdba CROSS JOIN me
   WHERE NOT pg_catalog.pg_has_role(t.datdba, 'USAGE')
   UNION ALL
  SELECT 'template', datname, pg_catalog.format('ALTER DATABASE %I IS_TEMPLATE false;', datname)
    FROM target WHERE datistemplate
   UNION ALL
  SELECT 'session', s.rolname, CASE WHEN s.rolsuper
           THEN pg_catalog.format('SELECT pg_terminate_backend(pid) FROM unnest(%L::int[]) AS pid;', s.pids)
           ELSE pg_catalog.format('GRANT pg_signal_backend TO %I;', me.rolname) END
    FROM sessions s CROSS JOIN me
   UNION ALL
  SELECT 'prepared_transaction', x.gid, pg_catalog.format('ROLLBACK PREPARED %L;', x.gid)
    FROM pg_catalog.pg_prepared_xacts x WHERE x.database = (SELECT datname FROM target)
   UNION ALL
  SELECT 'replication_slot', s.slot_name, pg_catalog.format('SELECT pg_drop_replication_slot(%L);', s.slot_name)
    FROM pg_catalog.pg_replication_slots s WHERE s.database = (SELECT datname FROM target)
   UNION ALL
  SELECT 'subscription', s.subname, pg_catalog.format(
           'ALTER SUBSCRIPTION %1$I DISABLE; ALTER SUBSCRIPTION %1$I SET (slot_name = NONE); DROP SUBSCRIPTION %1$I;', s.subname)
    FROM pg_catalog.pg_subscription s WHERE s.subdbid = (SELECT oid FROM target)
`;
