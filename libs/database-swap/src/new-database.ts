import { quoteIdentifier, type Client, type ConnectionTarget } from '@understudy/postgres';
import {
  applyProperties,
  closeToPublic,
  createDatabase,
  type CreateOptions,
  type DatabaseProperties,
} from './properties/database-properties.js';
import { onTargetServer, withCreateFailures } from './server-session.js';

/**
 * Creates a database to load. Until {@link applySettings}, only its owner and superusers may connect to it, and
 * its commits do not wait for the disk.
 * @returns the oid of the new database
 */
export async function createNewDatabase(
  client: Client,
  name: string,
  properties: DatabaseProperties,
  options: CreateOptions = {},
): Promise<string> {
  await client.query(createDatabase(name, properties, options));
  const settings = LOADING_SETTINGS.map(
    ([setting, value]) => `ALTER DATABASE ${quoteIdentifier(name)} SET ${setting} TO ${value}`,
  );
  await client.query(inOneTransaction([closeToPublic(name), ...settings]));
  const { rows } = await client.query<{ oid: string }>(
    'SELECT oid::text AS oid FROM pg_catalog.pg_database WHERE datname = $1',
    [name],
  );
  return rows[0]?.oid ?? '';
}

/**
 * Applies properties to a loaded database, and resets the {@link LOADING_SETTINGS}.
 * @param owner the owner of the database
 * @param more further statements, in the same transaction
 * @throws DatabaseError, SyncJobError create_failed
 */
export async function applySettings(
  client: Client,
  name: string,
  {
    properties,
    owner,
    more = [],
  }: { properties: DatabaseProperties; owner: string; more?: readonly string[] },
): Promise<void> {
  const reset = LOADING_SETTINGS.map(
    ([setting]) => `ALTER DATABASE ${quoteIdentifier(name)} RESET ${setting}`,
  );
  const apply = applyProperties(name, owner, properties);
  await withCreateFailures(() => client.query(inOneTransaction([...reset, ...apply, ...more])));
}

/** Drops a database if it exists, and ends the sessions in it. @throws DatabaseError, SyncJobError create_failed */
export function dropDatabase(target: ConnectionTarget, name: string): Promise<void> {
  return onTargetServer(target, (client) => dropWithSessions(client, name));
}

/**
 * Drops a database and ends the sessions in it. FORCE ends no session if it may not end each, and only a member of
 * `pg_signal_backend` may end autovacuum. Without FORCE, the server ends autovacuum itself, and waits up to five seconds
 * for the sessions that are ended here.
 */
export async function dropWithSessions(client: Client, name: string): Promise<void> {
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
