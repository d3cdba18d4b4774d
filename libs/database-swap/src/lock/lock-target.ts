import { sqlstateOf, type Client, type EngineLog } from '@understudy/postgres';
import { readLockHolders, refuseStrangers, TARGET_KEY } from './lock-holders.js';
import { endOlderAttempts } from './older-attempts.js';

export interface TargetLock {
  /** True if the session had to wait for other work. */
  readonly waited: boolean;
  /**
   * True if the session does not hold the lock, because another one replaces the database. The replacement waits until
   * every session has left the database. Close them, and call `untilReplaced`.
   */
  readonly isBeingReplaced: boolean;
}

/**
 * Locks the client's database for work inside it, until the session ends. If other work inside the database holds the
 * lock, waits without a time limit. If an older attempt at the same work holds it, ends the session of that attempt.
 *
 * The name of the database is checked after the target lock is held. A session that replaces the database takes the
 * lock on the name first, and then waits for the target lock. So at least one of the two sees the other.
 * @throws SyncJobError target_lock_held
 */
export async function lockTarget(client: Client, log: EngineLog): Promise<TargetLock> {
  let waited = false;
  let isLocked = await tryLock(client);
  // A stranger can get the lock while this session waits, so the holders are read again.
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    const holders = await readLockHolders(client);
    refuseStrangers(holders, log);
    await endOlderAttempts(client, holders);
    const isBeingReplaced = holders.some(({ isReplacing }) => isReplacing);
    if (isBeingReplaced)
      log.warn({ holders }, 'the target is being replaced: this job waits until that ends');
    if (isBeingReplaced && isLocked)
      await client.query(`SELECT pg_catalog.pg_advisory_unlock(${TARGET_KEY})`);
    if (isBeingReplaced || isLocked) return { waited, isBeingReplaced };
    if (!waited) log.warn({ holders }, 'another job uses the target: this job waits until it ends');
    waited = true;
    isLocked = await waitForLock(client, waitMs);
  }
}

const FIRST_WAIT_MS = 1_000;
/** The server logs an error after each wait, so later waits are longer. */
const MAX_WAIT_MS = 30_000;

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_catalog.pg_try_advisory_lock(${TARGET_KEY}) AS locked`,
  );
  return rows[0]?.locked === true;
}

/** @returns false if the lock was not released within the time */
async function waitForLock(client: Client, timeoutMs: number): Promise<boolean> {
  try {
    await client.query(
      `SET lock_timeout = ${timeoutMs}; SELECT pg_catalog.pg_advisory_lock(${TARGET_KEY}); SET lock_timeout = '60s'`,
    );
    return true;
  } catch (error) {
    if (sqlstateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
