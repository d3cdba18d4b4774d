import { quoteIdentifier, type ConnectionTarget, type Client } from '@understudy/postgres';
import {
  applyProperties,
  closeToPublic,
  createDatabase,
  type DatabaseProperties,
} from '../postgres/database-properties.js';
import { setMarker } from '../postgres/restore-marker.js';
import { onTargetServer, withCreateFailures, type ServerSession } from '../postgres/server-session.js';

/** The new database that a restore loads, and its target. */
export interface RestoreDatabase {
  readonly target: ConnectionTarget;
  readonly loading: string;
  readonly replaced: string;
}

/** Settings that the loaded database gets before the switch. */
export interface RestoredProperties {
  readonly properties: DatabaseProperties;
  readonly owner: string | undefined;
  readonly restoreId: string;
}

/** Creates the database to load, after dropping those of other attempts. @returns its oid @throws DatabaseError */
export function createRestoreDatabase(
  { target, loading }: RestoreDatabase,
  prefix: string,
  { properties, owner }: Pick<RestoredProperties, 'properties' | 'owner'>,
): Promise<string> {
  return onTargetServer(target, async (client) => {
    await dropAttempts(client, prefix);
    await client.query(createDatabase(loading, properties, owner));
    const settings = LOADING_SETTINGS.map(
      ([name, value]) => `ALTER DATABASE ${quoteIdentifier(loading)} SET ${name} TO ${value}`,
    );
    await client.query(inOneTransaction([closeToPublic(loading), ...settings]));
    const { rows } = await client.query<{ oid: string }>(
      'SELECT oid::text AS oid FROM pg_catalog.pg_database WHERE datname = $1',
      [loading],
    );
    return rows[0]?.oid ?? '';
  });
}

/**
 * Drops the databases that other attempts at the same restore left, and ends their sessions: an attempt that has lost
 * its lease can no longer switch.
 * @param prefix the names end in this prefix, an epoch, and `o` if the database was replaced
 * @throws DatabaseError
 */
export function dropOtherAttempts(target: ConnectionTarget, prefix: string): Promise<void> {
  return onTargetServer(target, (client) => dropAttempts(client, prefix));
}

async function dropAttempts(client: Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT datname::text AS name FROM pg_catalog.pg_database WHERE datname ~ ('.' || $1 || '[0-9]+o?$')",
    [prefix],
  );
  for (const { name } of rows)
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`);
}

/**
 * Applies the settings of the existing target, or else those of the snapshot's source, and sets the restore's marker.
 * @throws DatabaseError
 */
export async function applySettings(
  { client }: ServerSession,
  { target, loading }: RestoreDatabase,
  { properties, owner, restoreId }: RestoredProperties,
): Promise<void> {
  const reset = LOADING_SETTINGS.map(([name]) => `ALTER DATABASE ${quoteIdentifier(loading)} RESET ${name}`);
  const apply = applyProperties(loading, owner ?? target.user, properties);
  await withCreateFailures(() =>
    client.query(inOneTransaction([...reset, ...apply, setMarker(loading, restoreId)])),
  );
}

/** Drops a database that a restore created and ends its sessions. @throws DatabaseError */
export function dropRestoreDatabase(target: ConnectionTarget, name: string): Promise<void> {
  return onTargetServer(target, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`);
  });
}

/** Uses one round trip with `synchronous_commit = off`. Losing it is harmless: only the later switch must be durable. */
function inOneTransaction(statements: readonly string[]): string {
  return ['BEGIN', 'SET LOCAL synchronous_commit = off', ...statements, 'COMMIT'].join(';\n');
}

/**
 * Settings of the database during the load. No commit waits for the disk, because the load has no value before the
 * switch, whose commit waits for the whole log before it. Each foreign key is checked by one query, which is not worth
 * compiling. They are set on the database because poolers refuse settings of a connection.
 */
const LOADING_SETTINGS = [
  ['synchronous_commit', 'off'],
  ['jit', 'off'],
] as const;
