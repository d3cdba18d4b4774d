import { setTimeout as sleep } from 'node:timers/promises';
import { quoteLiteral, type Client, type EngineLog } from '@understudy/postgres';
import { type LockHolder, nameKey, readLockHolders, refuseStrangers } from './lock-holders.js';

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
  const { log, signal, name } = request;
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
    await endOlderAttempts(client, holders, name);
    if (!isReported) log.warn({ holders }, 'another job uses the target: this one waits until it ends');
    isReported = true;
    await sleep(MIN_PAUSE_MS * (1 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
}

const MIN_PAUSE_MS = 300;

async function call(client: Client, sql: string): Promise<boolean> {
  const { rows } = await client.query<{ result: boolean }>(`SELECT pg_catalog.${sql} AS result`);
  return rows[0]?.result === true;
}

/** The session of an older attempt belongs to an agent that hangs or is gone, and may never end by itself. */
async function endOlderAttempts(client: Client, holders: readonly LockHolder[], name: string): Promise<void> {
  const older = holders.filter((holder) => isOlderAttempt(holder.name ?? '', name)).map(({ pid }) => pid);
  if (older.length === 0) return;
  // `ALTER ROLE … SET role` can give sessions another current role, which may not end them.
  await client.query('SET ROLE NONE');
  await client.query(
    'SELECT pg_catalog.pg_terminate_backend(pid, $2) FROM pg_catalog.unnest($1::int4[]) AS pid',
    [older, ENDED_WITHIN_MS],
  );
  await client.query('RESET ROLE');
}

const ENDED_WITHIN_MS = 5_000;

/** Returns whether two names of sessions differ only in the number at their end, and that of the first is lower. */
export function isOlderAttempt(name: string, than: string): boolean {
  const [, work, epoch] = ATTEMPT.exec(name) ?? [];
  const [, ownWork, ownEpoch] = ATTEMPT.exec(than) ?? [];
  return work !== undefined && work === ownWork && Number(epoch) < Number(ownEpoch);
}

const ATTEMPT = /^(.+ )(\d{1,9})$/;
