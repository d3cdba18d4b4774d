import {
  type Client,
  type ConnectionTarget,
  connect,
  DatabaseError,
  openSession,
  type Session,
} from '@understudy/postgres/session';
import { type DatabaseSide, type SyncFailure, SyncJobError } from '@understudy/sync-job/failure';
import { failureIn, guard } from './guard.js';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Opens a session of a job.
 * @param name the session's `application_name`
 * @throws SyncJobError with the side of the database
 */
export function openJobSession(
  target: ConnectionTarget,
  side: DatabaseSide,
  name?: string,
): Promise<Session> {
  return guard({ side }, () => openSession(target, side, name));
}

/**
 * Opens a connection for short statements. `killSession` cannot end it, because its process id is not read.
 * @throws SyncJobError with the side of the database
 */
export function openJobClient(target: ConnectionTarget, side: DatabaseSide, name?: string): Promise<Client> {
  return guard({ side }, () => connect(target, side, name));
}

/**
 * Runs work that opens connections to a server that the job has reached before.
 * @param side the side of this server; if undefined, both servers have been reached
 * @throws SyncJobError connection_lost instead of connection_failed. A later attempt may succeed, and must be possible,
 * because earlier ones may have left rows or an outcome that nobody has read
 */
export async function reachingAgain<T>(work: () => Promise<T>, side?: DatabaseSide): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const failure = failureOf(cause);
    if (failure?.code !== 'connection_failed') throw cause;
    if (side !== undefined && failure.side !== side) throw cause;
    throw new SyncJobError({ ...failure, code: 'connection_lost' }, { cause });
  }
}

function failureOf(error: unknown): Pick<SyncFailure, 'code' | 'side'> | undefined {
  if (error instanceof SyncJobError) return error.failure;
  return error instanceof DatabaseError ? failureIn({ side: error.side }, error) : undefined;
}

/** The time in which a crashed server usually replays its log, or a failover ends. */
const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * Opens a session, and retries for a minute while the server is unreachable. Every attempt of a job after the
 * first one uses this function, so that a restart of the server does not use up all attempts within seconds.
 * @throws the last error of `open`, or the signal's reason
 */
export async function openWithRetry<Opened>(
  open: () => Promise<Opened>,
  now: () => number,
  signal: AbortSignal,
): Promise<Opened> {
  const until = now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isUnreachable = error instanceof SyncJobError && UNREACHABLE.has(error.failure.code);
      if (!isUnreachable || now() >= until) throw error;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

const UNREACHABLE = new Set(['connection_failed', 'connection_lost', 'too_few_sessions']);
