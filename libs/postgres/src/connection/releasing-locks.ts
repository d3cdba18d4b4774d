import type { Client } from 'pg';
import { sqlstateOf } from '../errors/error-side.js';

/**
 * Runs queries in a subtransaction that is rolled back, so that the transaction does not keep the locks that the
 * planner takes on tables, indexes and partitions. Locks that the transaction had before stay. If the work fails, the
 * client rolls the subtransaction back before its next query, so that the transaction stays usable. Outside a
 * transaction, each statement releases its locks itself.
 */
export async function releasingLocks<T>(client: Client, work: () => Promise<T>): Promise<T> {
  try {
    await client.query('SAVEPOINT understudy_locks');
  } catch (error) {
    if (sqlstateOf(error) === NO_TRANSACTION) return work();
    throw error;
  }
  const end = () =>
    client.query('ROLLBACK TO SAVEPOINT understudy_locks; RELEASE SAVEPOINT understudy_locks');
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // Not awaited, because the server can still be sending rows that are dropped. If it fails, so does the next query.
    end().catch(() => undefined);
    throw error;
  }
  await end();
  return result;
}

const NO_TRANSACTION = '25P01';
