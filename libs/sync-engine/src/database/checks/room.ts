import { keptPrefix } from '@understudy/database-swap';
import type { Client } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { logNames } from '../../local-names.js';
import type { TablePlan } from '../../plan/table-plan.js';

/**
 * Reads how much room the target and its kept databases take on the server's disk.
 * @param client a session of the agent's role, which may read the sizes of databases that it may connect to
 * @returns bytes
 */
export async function readHeldBytes(client: Client, target: string): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(HELD, [target, keptPrefix(target)]);
  return Number(rows[0]?.bytes);
}

/** $1: the target, $2: the beginning of the names of its kept databases. */
const HELD = `
  SELECT coalesce(sum(pg_catalog.pg_database_size(d.oid)), 0)::text AS bytes FROM pg_catalog.pg_database d
   WHERE (d.datname = $1 OR pg_catalog.starts_with(d.datname, $2)) AND pg_catalog.has_database_privilege(d.oid, 'CONNECT')
`;

/**
 * Reports how much room the new database needs, and how much the target and its kept databases take already. A new
 * database needs the size of the source, without tables of which no rows are copied.
 * @param source a client in the job's snapshot
 * @throws SyncJobError database_too_large if the new database needs more than the policy permits
 */
export async function checkRoom(
  source: Client,
  plans: readonly TablePlan[],
  heldBytes: number,
  environment: Pick<SyncEnvironment, 'policy' | 'log' | 'onNames'>,
): Promise<void> {
  const { rows } = await source.query<{ bytes: string }>(NEEDED, [plans.map((plan) => plan.source.oid)]);
  const neededBytes = Number(rows[0]?.bytes);
  logNames(environment, { about: 'room', neededBytes, heldBytes });
  const { maxDatabaseBytes = Number.POSITIVE_INFINITY } = environment.policy.rules;
  if (neededBytes > maxDatabaseBytes) throw new SyncJobError({ code: 'database_too_large', side: 'target' });
}

/** $1: the oids of the tables whose rows are copied. */
const NEEDED = `
  SELECT (pg_catalog.pg_database_size(pg_catalog.current_database())
           - coalesce(sum(pg_catalog.pg_total_relation_size(c.oid)), 0))::text AS bytes
    FROM pg_catalog.pg_class c
   WHERE c.relkind = 'r' AND c.oid >= 16384 AND c.oid <> ALL ($1::oid[])
     -- A partition of a table is copied with it.
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_partition_ancestors(c.oid) p WHERE p.relid = ANY ($1::oid[]))
`;
