import {
  createNewDatabase,
  type DatabaseProperties,
  dropWithSessions,
  onTargetServer,
} from '@understudy/database-swap';
import type { Client, ConnectionTarget } from '@understudy/postgres';

/**
 * The properties that a restore applies to the loaded database before the switch. They are from the existing target
 * or, if there is none, from the snapshot's source.
 */
export interface RestoredProperties {
  readonly properties: DatabaseProperties;
  readonly owner: string | undefined;
}

/**
 * Drops the databases of other attempts at the restore, and then creates the database to load.
 * @returns the oid of the new database
 * @throws DatabaseError, SyncJobError create_failed
 */
export function createRestoreDatabase(
  target: ConnectionTarget,
  { loading, prefix }: { readonly loading: string; readonly prefix: string },
  { properties, owner }: RestoredProperties,
): Promise<string> {
  return onTargetServer(target, async (client) => {
    await dropAttempts(client, prefix);
    return createNewDatabase(client, loading, properties, { owner });
  });
}

/**
 * Drops the databases that other attempts at the same restore left, and ends the sessions in them. After that, an
 * attempt that has lost its lease cannot switch.
 * @param prefix the part between the target's name and the epoch. A loaded database is named
 * `<target><prefix><epoch>`, a replaced one `<target><prefix><epoch>o`.
 * @throws DatabaseError, SyncJobError create_failed
 */
export function dropOtherAttempts(target: ConnectionTarget, prefix: string): Promise<void> {
  return onTargetServer(target, (client) => dropAttempts(client, prefix));
}

async function dropAttempts(client: Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT datname::text AS name FROM pg_catalog.pg_database WHERE datname ~ ('.' || $1 || '[0-9]+o?$')",
    [prefix],
  );
  for (const { name } of rows) await dropWithSessions(client, name);
}
