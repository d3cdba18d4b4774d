import {
  type Client,
  type ConnectionTarget,
  connect,
  DatabaseError,
  openSession,
  retryUnreachable,
  type Session,
} from '@understudy/postgres/session';
import { type DatabaseSide, type SyncFailure, SyncJobError } from '@understudy/sync-job/failure';
import { failureIn, guard } from './guard.js';

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

/**
 * Opens a session, and tries again for a minute while the server is unreachable.
 * @throws as `retryUnreachable` does
 */
export function openWithRetry<Opened>(
  open: () => Promise<Opened>,
  now: () => number,
  signal: AbortSignal,
): Promise<Opened> {
  const isUnreachable = (error: unknown) =>
    error instanceof SyncJobError && UNREACHABLE.has(error.failure.code);
  return retryUnreachable(open, { isUnreachable, now, signal });
}

const UNREACHABLE = new Set(['connection_failed', 'connection_lost', 'too_few_sessions']);
