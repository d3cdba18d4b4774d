import { quoteTable, type Client } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import { stagingSchema } from '../staging-names.js';
import { LOCK_HOLDERS, TABLES_TO_LOCK } from './switch-locks.sql.js';
import type { LockHolder } from './lock-retry.js';

/** A table that is there before the switch, of which it needs all to itself. */
export interface LockedTable {
  readonly oid: string;
  /** As LOCK TABLE takes it. */
  readonly sql: string;
  readonly partitions: readonly string[];
}

/** A table whose owner has taken all rights on it from the role is left to the statement that changes it. */
export async function tablesToLock(
  client: Client,
  jobId: string,
  plans: readonly TablePlan[],
): Promise<readonly LockedTable[]> {
  const replaced = plans.flatMap(({ target }) => target?.oid ?? []);
  const { rows } = await client.query<{
    oid: string;
    schema: string;
    table: string;
    partitioned: boolean;
    partitions: string[];
  }>(TABLES_TO_LOCK, [replaced, stagingSchema(jobId)]);
  return rows.map(({ oid, partitioned, partitions, ...name }) => ({
    oid,
    partitions,
    // ONLY: children by inheritance are tables of their own.
    sql: (partitioned ? '' : 'ONLY ') + quoteTable(name),
  }));
}

/**
 * Takes all of the tables, or gives up: whoever reads one of them waits no longer than that for a switch that does not happen.
 * @param withinMs for all together
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
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== CANCELED_BY_TIMEOUT) throw cause;
    throw new SyncJobError({ code: 'lock_timeout', side: 'target' }, { cause });
  }
  await client.query('SET LOCAL statement_timeout = 0');
}

const CANCELED_BY_TIMEOUT = '57014';

/** Who holds something of the tables now. */
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
  const { rows } = await client.query<{ oid: string; pid: number | null; name: string | null }>(
    LOCK_HOLDERS,
    [[...rootOf.keys()]],
  );
  return rows.map(({ oid, pid, name }) => {
    const tableIndex = indexOf.get(rootOf.get(oid) ?? oid);
    return { pid, name, ...(tableIndex === undefined ? {} : { tableIndex }) };
  });
}

/** The same of the job's existing tables, without what hangs on them. */
export function holdersOf(client: Client, plans: readonly TablePlan[]): Promise<readonly LockHolder[]> {
  const tables = plans.flatMap(({ target }) =>
    target === undefined ? [] : [{ oid: target.oid, partitions: [] }],
  );
  return lockHolders(client, tables, plans);
}
