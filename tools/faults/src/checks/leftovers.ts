import type { DatabaseServer } from '../system/database-server.js';

const LEFTOVERS = `
  SELECT 'session ' || application_name || ' (' || coalesce(state, '') || ')' FROM pg_catalog.pg_stat_activity
   WHERE application_name LIKE 'understudy%'
  UNION ALL
  SELECT 'lock ' || locktype || ' of pid ' || pid FROM pg_catalog.pg_locks WHERE locktype = 'advisory'
  UNION ALL
  SELECT 'prepared transaction ' || gid FROM pg_catalog.pg_prepared_xacts`;

/** A replaced database is kept, and its name then ends differently. */
const UNFINISHED = `SELECT datname AS name FROM pg_catalog.pg_database WHERE datname LIKE '%\\_understudy\\_%'`;

/** Returns the databases that jobs have replaced and kept. */
export async function keptDatabases(server: DatabaseServer, target: string): Promise<string[]> {
  const rows = await server.query<{ name: string }>(
    'postgres',
    `SELECT datname AS name FROM pg_catalog.pg_database WHERE pg_catalog.starts_with(datname, $1)`,
    [`${target}_replaced_`],
  );
  return rows.map(({ name }) => name);
}

const SCHEMAS = `SELECT nspname AS schema FROM pg_catalog.pg_namespace WHERE nspname LIKE 'understudy%'`;

/**
 * Finds everything that jobs left behind on a server.
 * @returns one description for each leftover object; empty if the server is clean. One kept database is allowed. A
 *   schema that holds only the results of completed switches is allowed: it remains if an agent dies before its last
 *   event is acknowledged, and a later job removes it
 */
export async function leftovers(server: DatabaseServer, database: string): Promise<string[]> {
  const things = (await server.query<{ thing: string }>(database, LEFTOVERS)).map(({ thing }) => thing);
  for (const { name } of await server.query<{ name: string }>(database, UNFINISHED))
    things.push(`database ${name}`);
  const kept = await keptDatabases(server, database);
  if (kept.length > 1) things.push(`${kept.length} kept databases`);
  for (const { schema } of await server.query<{ schema: string }>(database, SCHEMAS)) {
    if (!(await hasOnlyAResult(server, database, schema))) things.push(`schema ${schema}`);
  }
  return things;
}

async function hasOnlyAResult(server: DatabaseServer, database: string, schema: string): Promise<boolean> {
  const tables = await server.query<{ name: string }>(
    database,
    `SELECT relname AS name FROM pg_catalog.pg_class WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1)`,
    [schema],
  );
  if (tables.length !== 1 || tables[0]?.name !== 'job') return false;
  const jobs = await server.query<{ state: string }>(database, `SELECT state FROM ${schema}.job`);
  return jobs.every(({ state }) => state === 'switched');
}
