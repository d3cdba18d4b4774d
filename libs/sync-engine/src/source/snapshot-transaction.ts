import { openJobClient } from '../session/open-session.js';
import { disconnect, quoteTable, sqlstateOf, type Client } from '@understudy/postgres/session';
import { driverError } from '../session/guard.js';
import { located, type LocatedClient } from '../session/located-client.js';
import { SyncJobError } from '@understudy/sync-job/failure';
import type { HeldTable, HoldOrder } from './keeper-messages.js';
import { joinSnapshot } from './join-snapshot.js';

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
  const source = located(client, { side: 'source' });
  if (order.importId === undefined) {
    await source.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  } else {
    await joinSnapshot(client, order.importId);
  }
  await lockTables(source, order.tables);
  if (order.importId !== undefined && order.isWitnessed !== true)
    await checkHeldUntilNow(order, order.importId);
  const { rows } = await source.query<{ id: string }>('SELECT pg_catalog.pg_export_snapshot() AS id');
  return rows[0]?.id ?? '';
}

/**
 * Locks all tables with one statement. If the statement fails, locks the tables one by one, to find the table
 * that cannot be locked.
 */
async function lockTables(source: LocatedClient, tables: readonly HeldTable[]): Promise<void> {
  if (tables.length === 0) return;
  await source.query('SAVEPOINT locks');
  try {
    await source.query(
      `LOCK TABLE ${tables.map(({ name }) => quoteTable(name)).join(', ')} IN ACCESS SHARE MODE`,
    );
  } catch (error) {
    if (!hasSqlstate(error, UNDEFINED_TABLE, UNDEFINED_SCHEMA, NO_PRIVILEGE, WRONG_KIND)) throw error;
    await source.query('ROLLBACK TO SAVEPOINT locks');
    for (const table of tables) await lockTable(source, table);
  }
  // The tables stay locked. The subtransaction must end, because a snapshot cannot be exported inside one.
  await source.query('RELEASE SAVEPOINT locks');
}

async function lockTable(source: LocatedClient, { index, name }: HeldTable): Promise<void> {
  try {
    await source.at(index).query(`LOCK TABLE ${quoteTable(name)} IN ACCESS SHARE MODE`);
  } catch (error) {
    if (!hasSqlstate(error, UNDEFINED_TABLE, UNDEFINED_SCHEMA, WRONG_KIND)) throw error;
    const cause = driverError(error);
    throw new SyncJobError({ code: 'table_not_found', side: 'source', tableIndex: index }, { cause });
  }
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
  return codes.includes(String(sqlstateOf(error)));
}
