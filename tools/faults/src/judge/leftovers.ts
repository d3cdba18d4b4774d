import type { DatabaseServer } from '../arena/database-server.js';

const LEFTOVERS = `
  SELECT 'schema ' || nspname AS thing FROM pg_catalog.pg_namespace WHERE nspname LIKE 'understudy%'
  UNION ALL
  SELECT 'session ' || application_name || ' (' || coalesce(state, '') || ')' FROM pg_catalog.pg_stat_activity
   WHERE application_name LIKE 'understudy%'
  UNION ALL
  SELECT 'lock ' || locktype || ' of pid ' || pid FROM pg_catalog.pg_locks WHERE locktype = 'advisory'
  UNION ALL
  SELECT 'prepared transaction ' || gid FROM pg_catalog.pg_prepared_xacts`;

/** What jobs have left on a server, in words; empty when all is clean. */
export async function leftovers(server: DatabaseServer, database: string): Promise<string[]> {
  const rows = await server.query<{ thing: string }>(database, LEFTOVERS);
  return rows.map(({ thing }) => thing);
}
