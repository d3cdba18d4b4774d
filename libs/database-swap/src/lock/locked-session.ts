import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  databaseError,
  disconnect,
  refusePooler,
  type ConnectionTarget,
} from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { openServerSession, type ServerSession, withServerSession } from '../server-session.js';
import { type LockHolder, readLockHolders, refuseStrangers } from './lock-holders.js';
import { lockName, type LockRequest } from './lock-name.js';
import { lockTarget } from './lock-target.js';

/**
 * Opens a session on the target's server, locks the target for work that replaces it, and runs the work. Other work on
 * the target waits until the session ends. Rename the database with this session, so that it loses the lock only
 * together with the ability to rename.
 * @throws DatabaseError, such as pooler_unsupported · SyncJobError target_lock_held · the signal's reason
 */
export async function withLockedTarget<T>(
  target: ConnectionTarget,
  request: LockRequest,
  work: (session: ServerSession) => Promise<T>,
): Promise<T> {
  for (;;) {
    const session = await openServerSession(target, request.name);
    try {
      if (await hasLocked(session, target, request)) return await work(session);
    } finally {
      await disconnect(session.client);
    }
    await untilReplaced(target, request);
  }
}

/** @returns false if another session replaces the database, and this one must leave it */
async function hasLocked(
  session: ServerSession,
  target: ConnectionTarget,
  request: LockRequest,
): Promise<boolean> {
  const { client, isInTarget } = session;
  try {
    await refusePooler(session); // its server process would keep the lock
    if (isInTarget) return await hasLockedInside(client, request);
    await lockName(client, target.database, request);
    return true;
  } catch (cause) {
    request.signal.throwIfAborted();
    throw cause instanceof SyncJobError ? cause : databaseError(cause, 'target');
  }
}

/** Locks the target with a session inside it. If the signal aborts, closes the session, which ends the wait. */
async function hasLockedInside(client: Client, { log, signal }: LockRequest): Promise<boolean> {
  const onAbort = () => void disconnect(client);
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    const { isBeingReplaced } = await lockTarget(client, log);
    signal.throwIfAborted();
    return !isBeingReplaced;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Waits without a time limit until no session replaces a database. Has no session in the database, if its role can
 * connect to a maintenance database. Otherwise, has one only for moments.
 * @throws DatabaseError if the server cannot be reached for a minute, SyncJobError target_lock_held, or the signal's
 * reason
 */
export async function untilReplaced(
  target: ConnectionTarget,
  { log, signal }: Pick<LockRequest, 'log' | 'signal'>,
): Promise<void> {
  let failures = 0;
  for (;;) {
    // The caller may have found a replacement that this function does not find, so it always waits once.
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    const replacing = await readReplacing(target).catch((error: unknown) => {
      // While the database is renamed, no session can be opened in it.
      failures += 1;
      if (failures >= MAX_FAILURES) throw databaseError(error, 'target');
      return undefined;
    });
    if (replacing === undefined) continue;
    failures = 0;
    refuseStrangers(replacing, log);
    if (replacing.length === 0) return;
  }
}

function readReplacing(target: ConnectionTarget): Promise<readonly LockHolder[]> {
  return withServerSession(target, async ({ client }) => {
    const holders = await readLockHolders(client, target.database);
    return holders.filter(({ isReplacing }) => isReplacing);
  });
}

const POLL_INTERVAL_MS = 1_000;
const MAX_FAILURES = 60;
