import {
  type ConnectionTarget,
  DatabaseError,
  openFurther,
  openSession,
  type Session,
} from '@understudy/postgres';
import { type DatabaseSide, type SessionLimit, SyncJobError } from '@understudy/sync-job';
import { guard } from './guard.js';
import type { JobSessions } from './job-sessions.js';

/**
 * The sessions that a job holds until its end. On the source, these belong to the job and the snapshot keeper. On the
 * target, the only one belongs to the job.
 */
const HELD = { source: 2, target: 1 } as const;

/**
 * The sessions without which no job can run. One further session suffices for everything else in turn: the check of the
 * keeper's locks, pg_dump, the rehearsal, the copy, and the reading of the source for the comparison.
 */
export const LEAST_SESSIONS = { source: HELD.source + 1, target: HELD.target + 1 } as const;

const WAIT_MS = 15_000;

/** The sessions that a job may use. */
export interface SessionRoom {
  /** The number of pairs of sessions that copy rows. */
  readonly connections: number;
  /** True if the source has only one session in addition to those that are held. */
  readonly isTight: boolean;
}

/**
 * Opens the first session of a job on a database.
 * @param options `name`: the session's `application_name`
 * @throws SyncJobError with the side of the database; too_few_sessions if there is no session
 */
export function openFirstSession(
  target: ConnectionTarget,
  side: DatabaseSide,
  {
    name,
    sessionWaitMs = WAIT_MS,
  }: { readonly name?: string; readonly sessionWaitMs?: number | undefined } = {},
): Promise<Session> {
  return guard({ side }, async () => {
    try {
      return await openSession(target, side, name, AbortSignal.timeout(sessionWaitMs));
    } catch (error) {
      const limit = error instanceof DatabaseError ? error.sessionLimit : undefined;
      throw limit === undefined ? error : tooFew(side, 0, limit);
    }
  });
}

interface RoomRequest {
  /** The `application_name` of the sessions. */
  readonly name?: string | undefined;
  /** Receives sessions that the job can use later, if the databases give all that are wanted. */
  readonly spare?: JobSessions | undefined;
  /** The configured number of connections. If undefined, only the sessions are tried without which no job can run. */
  readonly connections?: number;
  readonly sessionWaitMs?: number | undefined;
  /** Ends sessions that the job no longer needs. It is called if there are too few. */
  readonly makeRoom?: (session: Session) => Promise<void>;
}

/**
 * Finds out how many sessions a job can have beside its first ones. With fewer than configured, it copies with fewer
 * connections.
 * @throws SyncJobError too_few_sessions
 */
export async function findRoom(
  { source, target }: { readonly source: Session; readonly target: Session },
  { connections = 0, ...request }: RoomRequest,
): Promise<SessionRoom> {
  // One session more reads the source for the comparison during the copy.
  const [onSource, onTarget] = await Promise.all([
    sessionsFor(source, HELD.source + connections + 1, request),
    sessionsFor(target, HELD.target + connections, request),
  ]);
  const spare = onSource - HELD.source;
  const isTight = spare === 1;
  return { isTight, connections: Math.min(isTight ? 1 : spare - 1, onTarget - HELD.target) };
}

/** @returns how many sessions a job can have at once, including the first one */
async function sessionsFor(
  session: Session,
  most: number,
  { makeRoom, name, spare, sessionWaitMs = WAIT_MS }: RoomRequest,
): Promise<number> {
  const { side } = session;
  const least = LEAST_SESSIONS[side];
  const wanted = Math.max(least, most) - 1;
  // Until the copy begins, pg_dump needs one session beside those that are held.
  const keep = spare === undefined ? 0 : wanted - HELD[side];
  const further = await guard({ side }, () =>
    openFurther(session, {
      ...{ wanted, name, keep, waitMs: sessionWaitMs },
      least: makeRoom === undefined ? least - 1 : 0,
    }),
  );
  for (const kept of further.kept) spare?.keep(kept);
  const had = 1 + further.opened;
  if (had >= least) return had;
  if (makeRoom === undefined) throw tooFew(side, had, further.limit);
  await guard({ side }, () => makeRoom(session));
  return sessionsFor(session, most, { name, spare, sessionWaitMs });
}

function tooFew(side: DatabaseSide, sessionsHad: number, sessionLimit?: SessionLimit): SyncJobError {
  const problem = { code: 'too_few_sessions', side } as const;
  const numbers = { sessionsNeeded: LEAST_SESSIONS[side], sessionsHad };
  const limit = sessionLimit === undefined ? {} : { sessionLimit };
  return new SyncJobError({ ...problem, problems: [{ ...problem, ...numbers, ...limit }], problemCount: 1 });
}
