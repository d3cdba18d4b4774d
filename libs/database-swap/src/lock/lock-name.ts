import { setTimeout as sleep } from 'node:timers/promises';
import { quoteLiteral, type Client, type EngineLog } from '@understudy/postgres';
import { nameKey, readLockHolders, refuseStrangers } from './lock-holders.js';
import { endOlderAttempts } from './older-attempts.js';

export interface LockRequest {
  /**
   * The `application_name` of the session. It ends with the number of the attempt. If an older attempt at the same work
   * still holds the lock, its session is ended.
   */
  readonly name: string;
  readonly log: EngineLog;
  readonly signal: AbortSignal;
}

/**
 * Locks the name of a database, for work that replaces it, until the session ends. Then waits without a time limit
 * until no work inside the database is left. Work inside it that begins later waits for this session.
 *
 * The session is in another database, because a session in the database would prevent it from being renamed.
 * @throws SyncJobError target_lock_held, or the signal's reason
 */
export async function lockName(client: Client, database: string, request: LockRequest): Promise<void> {
  const { log, signal } = request;
  const key = nameKey(quoteLiteral(database));
  let isLocked = false;
  let isReported = false;
  for (;;) {
    signal.throwIfAborted();
    isLocked ||= await call(client, `pg_try_advisory_lock(${key})`);
    const holders = await readLockHolders(client, database);
    if (isLocked && holders.length === 0) return;
    refuseStrangers(holders, log);
    // Each maintenance database has a lock of its own. If two sessions hold theirs, both release them and try again.
    if (isLocked && holders.some(({ isReplacing }) => isReplacing)) {
      await call(client, `pg_advisory_unlock(${key})`);
      isLocked = false;
    }
    await endOlderAttempts(client, holders);
    if (!isReported)
      log.warn({ holders }, 'another job uses the target or the same login: this one waits until it ends');
    isReported = true;
    await sleep(MIN_PAUSE_MS * (1 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Locks a login for work in whose sessions code of others runs, until the session ends. Waits without a time limit for
 * other work with this login, also on other databases. PostgreSQL lets each session of a role end the other sessions of
 * this role, and change its settings and its password.
 *
 * Work on a database locks the name of the database first, so work with two locks never waits in a circle.
 * @param client the session that has locked the name of the database
 * @throws SyncJobError target_lock_held, or the signal's reason
 */
export function lockLogin(client: Client, login: string, request: LockRequest): Promise<void> {
  return lockName(client, `${NO_DATABASE}${login}`, request);
}

/** Longer than the name of a database can be, so that the lock is never that of a database. */
const NO_DATABASE = 'the login of jobs that replace databases, in whose sessions code of the source runs: ';

const MIN_PAUSE_MS = 300;

async function call(client: Client, sql: string): Promise<boolean> {
  const { rows } = await client.query<{ result: boolean }>(`SELECT pg_catalog.${sql} AS result`);
  return rows[0]?.result === true;
}
