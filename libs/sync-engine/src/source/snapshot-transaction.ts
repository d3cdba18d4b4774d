import { openJobClient } from '../session/open-session.js';
import { disconnect, quoteTable, type Client } from '@understudy/postgres/session';
import { guard, type FailureContext } from '../session/guard.js';
import { SyncJobError } from '@understudy/sync-job/failure';
import type { HeldTable, HoldOrder } from './keeper-messages.js';
import { joinSnapshot } from './join-snapshot.js';

const ON_SOURCE: FailureContext = { side: 'source' };

/**
 * Begins the transaction that holds a snapshot of the source. Locks every table in ACCESS SHARE mode before
 * it takes a new snapshot. A TRUNCATE or a rewrite of a table must wait for this lock. Without the lock,
 * either of them could make the table empty in the snapshot. For an imported snapshot, the function checks
 * that the tables have been locked since the snapshot was taken.
 * @returns the exported snapshot's id
 * @throws SyncJobError table_not_found, permission_denied, lock_timeout; snapshot_lost if the snapshot to
 * import has ended
 */
export async function beginSnapshot(
  client: Client,
  order: Pick<HoldOrder, 'source' | 'tables' | 'importId' | 'isWitnessed'>,
): Promise<string> {
  if (order.importId === undefined) {
    await guard(ON_SOURCE, () =>
      client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY'),
    );
  } else {
    await joinSnapshot(client, order.importId);
  }
  await lockTables(client, order.tables);
  if (order.importId !== undefined && order.isWitnessed !== true)
    await checkHeldUntilNow(order, order.importId);
  const { rows } = await guard(ON_SOURCE, () =>
    client.query<{ id: string }>('SELECT pg_catalog.pg_export_snapshot() AS id'),
  );
  return rows[0]?.id ?? '';
}

/**
 * Locks all tables with one statement. If the statement fails, locks the tables one by one, to find the table
 * that cannot be locked.
 */
async function lockTables(client: Client, tables: readonly HeldTable[]): Promise<void> {
  if (tables.length === 0) return;
  await client.query('SAVEPOINT locks');
  try {
    await client.query(
      `LOCK TABLE ${tables.map(({ name }) => quoteTable(name)).join(', ')} IN ACCESS SHARE MODE`,
    );
  } catch (error) {
    if (!hasSqlstate(error, UNDEFINED_TABLE, UNDEFINED_SCHEMA, NO_PRIVILEGE, WRONG_KIND)) {
      throw await guard(ON_SOURCE, () => Promise.reject(error as Error));
    }
    await client.query('ROLLBACK TO SAVEPOINT locks');
    for (const table of tables) await lockTable(client, table);
  }
  // The tables stay locked. The subtransaction must end, because a snapshot cannot be exported inside one.
  await client.query('RELEASE SAVEPOINT locks');
}

async function lockTable(client: Client, { index, name }: HeldTable): Promise<void> {
  await guard({ ...ON_SOURCE, tableIndex: index }, async () => {
    try {
      await client.query(`LOCK TABLE ${quoteTable(name)} IN ACCESS SHARE MODE`);
    } catch (cause) {
      if (!hasSqlstate(cause, UNDEFINED_TABLE, UNDEFINED_SCHEMA, WRONG_KIND)) throw cause;
      throw new SyncJobError({ code: 'table_not_found', side: 'source', tableIndex: index }, { cause });
    }
  });
}

/**
 * Checks that the tables have been locked without interruption since the imported snapshot was taken. The
 * transaction that exported the snapshot holds locks on the tables until the snapshot ends. If a session can
 * still join the snapshot after this session has locked the tables, the tables were never unlocked.
 */
async function checkHeldUntilNow({ source }: Pick<HoldOrder, 'source'>, importId: string): Promise<void> {
  const witness = await openJobClient(source, 'source');
  try {
    await joinSnapshot(witness, importId);
  } finally {
    await disconnect(witness);
  }
}

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_SCHEMA = '3F000';
const NO_PRIVILEGE = '42501';
/** The SQLSTATE of LOCK TABLE if the name belongs to another kind of object, such as an index. */
const WRONG_KIND = '42809';

function hasSqlstate(error: unknown, ...codes: readonly string[]): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && codes.includes(code);
}
