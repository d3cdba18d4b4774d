import { quoteIdentifier, type ConnectionTarget } from '@understudy/postgres';
import { onTargetServer } from './server-session.js';

/** A replaced database that is kept for a while. */
export interface KeptDatabase {
  readonly name: string;
  readonly oid: string;
}

/**
 * Finds kept databases by name.
 * @param prefix the part of their names before the number of the attempt; letters, digits and `_` only
 */
export function findKeptDatabases(
  target: ConnectionTarget,
  prefix: string,
): Promise<readonly (KeptDatabase & { readonly epoch: number })[]> {
  return onTargetServer(target, async (client) => {
    const { rows } = await client.query<KeptDatabase>(
      "SELECT datname::text AS name, oid::text AS oid FROM pg_catalog.pg_database WHERE datname ~ ('.' || $1 || '[0-9]+$')",
      [prefix],
    );
    return rows.map(({ name, oid }) => ({ name, oid, epoch: Number(/\d+$/.exec(name)?.[0]) }));
  });
}

/**
 * Drops a kept database if it still has its name and oid. PostgreSQL waits up to five seconds for other sessions to
 * leave.
 * @returns false if no database has this name and oid
 * @throws DatabaseError, SyncJobError create_failed
 */
export function dropKeptDatabase(target: ConnectionTarget, { name, oid }: KeptDatabase): Promise<boolean> {
  return onTargetServer(target, async (client) => {
    const { rows } = await client.query(
      'SELECT FROM pg_catalog.pg_database WHERE oid = $1::oid AND datname = $2',
      [oid, name],
    );
    if (rows.length > 0) await client.query(`DROP DATABASE ${quoteIdentifier(name)}`);
    return rows.length > 0;
  });
}

/**
 * Drops a replaced database if it exists. Waits for sessions as {@link dropKeptDatabase} does.
 * @throws DatabaseError, SyncJobError create_failed
 */
export function dropReplacedDatabase(target: ConnectionTarget, name: string): Promise<void> {
  return onTargetServer(target, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)}`);
  });
}
