import { sqlstateOf, type Client } from '@understudy/postgres';
import { defined, SyncJobError } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import { driverError } from '../../session/guard.js';
import { stagingSchema } from '../staging-names.js';
import { LOCK_HOLDERS, TABLES_TO_LOCK } from './switch-locks.sql.js';
import type { LockHolder } from './lock-retry.js';

/** A table that exists before the switch and that the switch locks exclusively. */
export interface LockedTable {
  readonly oid: string;
  /** The table in the syntax of LOCK TABLE. */
  readonly sql: string;
  readonly partitions: readonly string[];
}

/**
 * Lists the tables that the switch locks. Omits tables that the role may not lock. If the switch must change such a
 * table, the statement that changes it fails.
 */
export async function tablesToLock(
  client: Client,
  jobId: string,
  plans: readonly TablePlan[],
): Promise<readonly LockedTable[]> {
  const replaced = plans.flatMap(({ target }) => target?.oid ?? []);
  const { rows } = await client.query<LockedTable>(TABLES_TO_LOCK, [replaced, stagingSchema(jobId)]);
  return rows;
}

/**
 * Locks all of the tables, or fails after the given time. While this session waits for a lock, it can block
 * other sessions that need one of the tables.
 * @param withinMs the limit for all tables together, in milliseconds
 * @throws SyncJobError lock_timeout · PostgreSQL's own errors
 */
export async function lockTables(
  client: Client,
  tables: readonly LockedTable[],
  withinMs: number,
): Promise<void> {
  if (tables.length === 0) return;
  await client.query(`SET LOCAL statement_timeout = ${withinMs}`);
  try {
    await client.query(`LOCK TABLE ${tables.map(({ sql }) => sql).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  } catch (error) {
    if (sqlstateOf(error) !== CANCELED_BY_TIMEOUT) throw error;
    throw new SyncJobError({ code: 'lock_timeout', side: 'target' }, { cause: driverError(error) });
  }
  await client.query('SET LOCAL statement_timeout = 0');
}

const CANCELED_BY_TIMEOUT = '57014';

/** Lists the sessions that currently hold locks on the tables. */
export async function lockHolders(
  client: Client,
  tables: readonly Pick<LockedTable, 'oid' | 'partitions'>[],
  plans: readonly TablePlan[],
): Promise<readonly LockHolder[]> {
  const rootOf = new Map(
    tables.flatMap(({ oid, partitions }) => [oid, ...partitions].map((one) => [one, oid] as const)),
  );
  const indexOf = new Map(
    plans.flatMap(({ index, target }) => (target === undefined ? [] : [[target.oid, index] as const])),
  );
  const { rows } = await client.query<LockHolder & { oid: string }>(LOCK_HOLDERS, [[...rootOf.keys()]]);
  return rows.map(({ oid, ...holder }) => {
    const tableIndex = indexOf.get(oid) ?? indexOf.get(rootOf.get(oid) ?? oid);
    return { ...holder, ...defined({ tableIndex }) };
  });
}

/**
 * Lists the sessions that currently hold locks on the job's existing tables. Ignores locks on other tables, such as
 * those with foreign keys to the job's tables.
 */
export function lockHoldersOf(client: Client, plans: readonly TablePlan[]): Promise<readonly LockHolder[]> {
  const tables = plans.flatMap(({ target }) =>
    target === undefined ? [] : [{ oid: target.oid, partitions: [] }],
  );
  return lockHolders(client, tables, plans);
}
