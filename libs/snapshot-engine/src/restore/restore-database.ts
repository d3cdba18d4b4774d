import { quoteIdentifier, type ConnectionTarget, type Client } from '@understudy/postgres';
import {
  applyProperties,
  closeToPublic,
  createDatabase,
  type DatabaseProperties,
} from '../postgres/database-properties.js';
import { setMarker } from '../postgres/restore-marker.js';
import { onTargetServer, withCreateFailures, type ServerSession } from '../postgres/server-session.js';

/**
 * The target of a restore, and the names of the database that it loads and of the database that it replaces.
 */
export interface RestoreDatabase {
  readonly target: ConnectionTarget;
  readonly loading: string;
  readonly replaced: string;
}

/**
 * The properties that a restore applies to the loaded database before the switch, and the id of the restore. The
 * properties are from the existing target or, if there is none, from the snapshot's source.
 */
export interface RestoredProperties {
  readonly properties: DatabaseProperties;
  readonly owner: string | undefined;
  readonly restoreId: string;
}

/**
 * Drops the databases of other attempts at the restore, and then creates the database to load.
 * @returns the oid of the new database
 * @throws DatabaseError
 */
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
 * Drops the databases that other attempts at the same restore left, and ends the sessions in them. After that, an
 * attempt that has lost its lease cannot switch.
 * @param prefix the part between the target's name and the epoch. A loaded database is named
 * `<target><prefix><epoch>`, a replaced one `<target><prefix><epoch>o`.
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
  for (const { name } of rows) await dropWithSessions(client, name);
}

/**
 * Applies the given properties and owner to the loaded database, and resets the {@link LOADING_SETTINGS}.
 * Sets the restore's marker.
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

/** Drops a database that a restore created, and ends the sessions in it. @throws DatabaseError */
export function dropRestoreDatabase(target: ConnectionTarget, name: string): Promise<void> {
  return onTargetServer(target, (client) => dropWithSessions(client, name));
}

/**
 * Drops a database and ends the sessions in it. FORCE ends no session if it may not end each, and only a member of
 * `pg_signal_backend` may end autovacuum. Without FORCE, the server ends autovacuum itself, and waits up to five seconds
 * for the sessions that are ended here.
 */
async function dropWithSessions(client: Client, name: string): Promise<void> {
  const drop = `DROP DATABASE IF EXISTS ${quoteIdentifier(name)}`;
  try {
    await client.query(`${drop} WITH (FORCE)`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    await client.query(END_OWN_SESSIONS, [name]);
    await client.query(drop);
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

const END_OWN_SESSIONS = `
  SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity
   WHERE datname = $1 AND pg_catalog.pg_has_role(usesysid, 'USAGE')
`;

/**
 * Joins statements to one transaction in one round trip, with `synchronous_commit = off`. Losing the
 * transaction is harmless, because only the later switch must be durable.
 */
function inOneTransaction(statements: readonly string[]): string {
  return ['BEGIN', 'SET LOCAL synchronous_commit = off', ...statements, 'COMMIT'].join(';\n');
}

/**
 * Settings of the database during the load. Commits do not wait for the disk. Losing them before the switch is
 * harmless, and the commit of the switch waits until the whole write-ahead log is on the disk. JIT is off, because
 * compiling the query that checks a foreign key costs more than it saves. These are settings of the database,
 * because poolers reject settings in a connection request.
 */
const LOADING_SETTINGS = [
  ['synchronous_commit', 'off'],
  ['jit', 'off'],
] as const;
