import {
  connect,
  DatabaseError,
  disconnect,
  quoteIdentifier,
  type ConnectionTarget,
} from '@understudy/postgres';
import { type ServerSession, SESSION_NAME } from '../server-session.js';
import { SWAP_BLOCKERS } from './swap-blockers.sql.js';

/** Something that prevents a database from being replaced, now or when the new one is ready. */
export interface SwapBlocker {
  readonly kind:
    | 'no_createdb'
    | 'not_owner'
    /** The role can connect to no maintenance database, and no session can rename its own database. */
    | 'no_maintenance_database'
    /** The database is a template for others. */
    | 'template'
    /** Sessions of a role that the agent's role may not end. They matter if they are still there in the end. */
    | 'session'
    | 'prepared_transaction'
    | 'replication_slot'
    | 'subscription'
    /** `pg_hba.conf` does not admit the role to the new database. */
    | 'not_admitted';
  /** The name of the role, transaction, slot, subscription or database. */
  readonly name: string;
  /**
   * The statement for an administrator, or the line of a file. Prepared transactions and subscriptions need a session in
   * the database.
   */
  readonly remedy: string;
}

/**
 * Lists what will be in the way when the target is replaced. Changes nothing.
 * @param session a session of the role that renames the databases
 */
export async function findSwapBlockers(
  { client, isInTarget }: ServerSession,
  target: ConnectionTarget,
): Promise<readonly SwapBlocker[]> {
  const { rows } = await client.query<Omit<SwapBlocker, 'remedy'> & { readonly sql: string }>(SWAP_BLOCKERS, [
    target.database,
  ]);
  const found = rows.map(({ kind, name, sql }) => ({ kind, name, remedy: sql }));
  if (!isInTarget) return found;
  const remedy = `GRANT CONNECT ON DATABASE postgres TO ${quoteIdentifier(target.user)};`;
  return [{ kind: 'no_maintenance_database', name: 'postgres', remedy }, ...found];
}

/**
 * Finds out whether the server admits a role to a database that has just been created. A `pg_hba.conf` can admit it only
 * to the target's name.
 * @throws DatabaseError if the connection fails for another reason
 */
export async function findRefusedLogin(created: ConnectionTarget): Promise<SwapBlocker | undefined> {
  try {
    await disconnect(await connect(created, 'target', SESSION_NAME));
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError) || !isRefusal(error)) throw error;
    const remedy = `host all ${quoteIdentifier(created.user)} <address of the agent> scram-sha-256`;
    return { kind: 'not_admitted', name: created.user, remedy };
  }
}

/** A server without a matching line in `pg_hba.conf` refuses the role as it refuses a wrong password. */
function isRefusal({ code }: DatabaseError): boolean {
  return code === 'authentication_failed' || code === 'permission_denied';
}
