import { partitionTree } from '@understudy/postgres';
import { type DatabaseSide, type SyncJobCommand, SyncJobError } from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';
import type { TablePlan } from '../table-plan.js';

/**
 * Checks that the source's lock table has room for the locks that a job holds, without those of other
 * sessions. A lock table has room for `max_locks_per_transaction * (max_connections +
 * max_prepared_transactions)` objects, and for twice as many locks.
 * @throws SyncJobError locks_exhausted, with the value that `max_locks_per_transaction` needs
 */
export async function requireSourceRoom(
  tables: readonly Pick<TablePlan, 'source'>[],
  source: LocatedClient,
  { replace }: Pick<SyncJobCommand, 'replace'>,
): Promise<void> {
  const oids = tables.map((table) => table.source.oid);
  const held = await readRoom(source, oids);
  // The keeper locks each table, and pg_dump those that the target lacks. In a job on tables, the reading session does, too.
  requireRoom('source', held, (held.tables * (replace === 'database' ? 2 : 3)) / 2);
}

/**
 * Does the same for the target. Staging creates the missing tables in one transaction. The switch locks the existing
 * ones and their staged rows.
 * @throws SyncJobError locks_exhausted
 */
export async function requireTargetRoom(
  plans: readonly TablePlan[],
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
): Promise<void> {
  const missing = plans.flatMap((plan) => (plan.target === undefined ? [plan.source.oid] : []));
  const existing = plans.flatMap((plan) => plan.target?.oid ?? []);
  const created = await readRoom(source, missing);
  const replaced = await readRoom(target, existing);
  requireRoom('target', replaced, Math.max(created.relations, replaced.relations + replaced.tables));
}

async function readRoom(client: LocatedClient, oids: readonly string[]): Promise<Room> {
  const { rows } = await client.query<Room>(READ_ROOM, [oids]);
  const [room] = rows;
  if (room === undefined) throw new Error('expected one row with settings of the server');
  return room;
}

function requireRoom(side: DatabaseSide, { objects, sessions }: Room, needed: number): void {
  if (needed <= objects) return;
  const problem = { code: 'locks_exhausted', side } as const;
  // Twice the locks of the job leaves room for the other sessions of the server.
  const locksPerTransaction = Math.ceil((2 * needed) / sessions);
  throw new SyncJobError({ ...problem, problems: [{ ...problem, locksPerTransaction }], problemCount: 1 });
}

interface Room {
  /** The number of the tables and of their partitions. */
  readonly tables: number;
  /** The number of the tables, partitions, indexes, TOAST tables and owned sequences. */
  readonly relations: number;
  /** The number of objects for which the server's lock table has room. */
  readonly objects: number;
  readonly sessions: number;
}

/** $1: oids of tables. */
const READ_ROOM = `
  WITH tables AS (
    SELECT pg_catalog.unnest($1::oid[]) AS oid
    UNION SELECT t.relid FROM pg_catalog.unnest($1::oid[]) AS listed (oid), ${partitionTree('listed.oid')} t
  ), room AS (
    SELECT pg_catalog.current_setting('max_locks_per_transaction')::float8 AS locks,
           pg_catalog.current_setting('max_connections')::float8
             + pg_catalog.current_setting('max_prepared_transactions')::float8 AS sessions
  )
  SELECT (SELECT count(*) FROM tables)::float8 AS tables,
         ((SELECT count(*) FROM tables)
           + (SELECT count(*) FROM pg_catalog.pg_index i JOIN tables t ON t.oid = i.indrelid)
           + (SELECT 2 * count(*) FROM pg_catalog.pg_class c JOIN tables t ON t.oid = c.oid WHERE c.reltoastrelid <> 0)
           + (SELECT count(*) FROM pg_catalog.pg_class s
                JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = s.oid
                 AND d.refclassid = d.classid AND d.deptype IN ('a', 'i')
                JOIN tables t ON t.oid = d.refobjid WHERE s.relkind = 'S'))::float8 AS relations,
         locks * sessions AS objects, sessions
    FROM room
`;
