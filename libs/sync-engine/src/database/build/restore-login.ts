import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import {
  type Client,
  type ConnectionTarget,
  disconnect,
  type EngineLog,
  errorDetail,
  quoteIdentifier,
  quoteLiteral,
} from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { openJobClient } from '../../session/open-session.js';

/**
 * Undoes what code of the source can change about the second login, because PostgreSQL lets each role change its own
 * settings and its own password. Ends all other sessions of the role on the server, removes all settings of the role, and
 * sets the password again if it is not valid. Logs a failure.
 * @param login the new database, as the second login connects to it
 * @param session an open session of the second login. It is used even if no new session can be opened
 * @param agent a session of the agent's role in a maintenance database, which has locked the second login
 */
export async function restoreLogin(
  login: ConnectionTarget,
  { session, agent }: { readonly session: Client; readonly agent: Client },
  log: EngineLog,
): Promise<void> {
  try {
    await endOthers(session, agent, login.user).catch((error: unknown) =>
      log.warn({ detail: errorDetail(error) }, 'sessions of the second login could not be ended'),
    );
    await removeSettings(session).catch(() => withNewSession(login, removeSettings));
    await withNewSession(login, () => Promise.resolve()).catch(async (error: unknown) => {
      const isChanged = error instanceof SyncJobError && error.failure.code === 'authentication_failed';
      if (!isChanged || login.password === undefined) throw error;
      await session.query(`ALTER ROLE CURRENT_USER PASSWORD ${quoteLiteral(storedPassword(login.password))}`);
      log.warn({}, 'code of the source has changed the password of the second login, which was set again');
    });
  } catch (error) {
    log.warn({ detail: errorDetail(error) }, 'the settings of the second login could not be removed');
  }
}

/**
 * Ends all sessions of the role except the given one. Code of the source can have opened some, for example with dblink.
 * They would run after the build, when nothing limits any more what they leave behind.
 */
async function endOthers(session: Client, agent: Client, role: string): Promise<void> {
  const own = await pidOf(session).catch(() => 0);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { rows } = await agent.query(END_OTHERS, [role, own]);
    if (rows.length === 0) return;
  }
  throw new Error('the second login opens sessions faster than they are ended');
}

async function pidOf(client: Client): Promise<number> {
  await client.query('ROLLBACK');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_catalog.pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

const MAX_ROUNDS = 20;

/** Waits up to five seconds for each session. $1: the role, $2: the process of the session that stays. */
const END_OTHERS = `
  SELECT pg_catalog.pg_terminate_backend(pid, 5000) FROM pg_catalog.pg_stat_activity
   WHERE usename = $1 AND pid <> $2 AND backend_type IS DISTINCT FROM 'parallel worker'
`;

async function withNewSession(
  login: ConnectionTarget,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = await openJobClient(login, 'target');
  await work(client).finally(() => disconnect(client));
}

async function removeSettings(client: Client): Promise<void> {
  await client.query('ROLLBACK');
  // A setting that code of the source has made applies here, too.
  await client.query('SET default_transaction_read_only = off');
  await client.query('ALTER ROLE CURRENT_USER RESET ALL');
  const { rows } = await client.query<{ name: string }>(DATABASES);
  for (const { name } of rows)
    await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${quoteIdentifier(name)} RESET ALL`);
}

/** Lists the databases for which the role has settings. */
const DATABASES = `
  SELECT d.datname AS name FROM pg_catalog.pg_db_role_setting s JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
   WHERE s.setrole = (SELECT r.oid FROM pg_catalog.pg_roles r WHERE r.rolname = current_user)
`;

const ROUNDS = 4_096;

/**
 * Returns what PostgreSQL stores for a password, so that the log of the server never contains the password.
 * @see https://www.rfc-editor.org/rfc/rfc5802#section-3
 */
function storedPassword(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ROUNDS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}
