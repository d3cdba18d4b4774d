import {
  asSession,
  type ConnectionTarget,
  DatabaseError,
  disconnect,
  type FurtherSessions,
  openFurther,
  openSession,
  type Session,
} from '@understudy/postgres';
import { type DatabaseSide, defined, type SessionLimit, SyncJobError } from '@understudy/sync-job';
import { guard } from './guard.js';
import type { JobSessions } from './job-sessions.js';
import { reachingAgain } from './open-session.js';

/**
 * The sessions that a job holds until its end. On the source, these belong to the job and the snapshot keeper. On the
 * target, the only one belongs to the job.
 */
const HELD = { source: 2, target: 1 } as const;

/**
 * The sessions without which no job can run. One further session suffices for everything else in turn: the check of the
 * keeper's locks, pg_dump, the rehearsal, the copy, and the reading of the source for the comparison.
 */
export const MIN_SESSIONS = { source: HELD.source + 1, target: HELD.target + 1 } as const;

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
  /**
   * Ends sessions that the job no longer needs. It is called for both databases if one gives too few. Returns whether
   * it has left a keeper's session, which ends before the job needs its further session.
   */
  readonly makeRoom?: (session: Session) => Promise<boolean>;
}

/**
 * Finds out how many sessions a job can have beside its first ones. With fewer than configured, it copies with fewer
 * connections. Both databases may share one limit. The function therefore opens the sessions without which no job can
 * run first, and keeps all sessions open until it knows their number.
 * @throws SyncJobError too_few_sessions, connection_lost
 */
export async function findRoom(
  first: Readonly<Record<DatabaseSide, Session>>,
  { connections = 0, makeRoom, spare, ...request }: RoomRequest,
): Promise<SessionRoom> {
  const least = new FurtherOfBoth(first, request);
  const others = new FurtherOfBoth(first, request);
  const needed = { source: MIN_SESSIONS.source - 1, target: MIN_SESSIONS.target - 1 };
  // One session more on the source reads it for the comparison during the copy.
  const wanted = { source: connections, target: Math.max(0, connections - 1) };
  try {
    if (!(await least.open(needed, makeRoom === undefined)) && makeRoom !== undefined) {
      await least.close();
      await onBoth(async (side) => {
        if (await guard({ side }, () => makeRoom(first[side]))) needed[side] -= 1;
      });
      await least.open(needed, true);
    }
    least.require(needed);
    const isFull = await others.open(wanted, false);
    const onSource = 1 + others.count('source');
    const isTight = onSource === 1;
    const room = { isTight, connections: Math.min(isTight ? 1 : onSource - 1, 1 + others.count('target')) };
    // Until the copy begins, the keeper, pg_dump and the rehearsal need the sessions of `least`.
    if (isFull && spare !== undefined) for (const session of await others.take()) spare.keep(session);
    return room;
  } finally {
    await Promise.all([least.close(), others.close()]);
  }
}

/** Further sessions of both databases that are open at the same time. */
class FurtherOfBoth {
  private readonly had: Record<DatabaseSide, FurtherSessions> = {
    source: { clients: [] },
    target: { clients: [] },
  };

  constructor(
    private readonly first: Readonly<Record<DatabaseSide, Session>>,
    private readonly request: Pick<RoomRequest, 'name' | 'sessionWaitMs'>,
  ) {}

  /** @returns whether both databases gave the sessions. @throws after all sessions are open or have failed */
  async open(wanted: Readonly<Record<DatabaseSide, number>>, isWaiting: boolean): Promise<boolean> {
    const { name, sessionWaitMs: waitMs = WAIT_MS } = this.request;
    await onBoth(async (side) => {
      const request = { wanted: wanted[side], least: isWaiting ? wanted[side] : 0, waitMs, name };
      const opening = () => guard({ side }, () => openFurther(this.first[side], request));
      this.had[side] = await reachingAgain(opening);
    });
    return SIDES.every((side) => this.count(side) === wanted[side]);
  }

  count(side: DatabaseSide): number {
    return this.had[side].clients.length;
  }

  /** @throws SyncJobError too_few_sessions */
  require(needed: Readonly<Record<DatabaseSide, number>>): void {
    for (const side of SIDES)
      if (this.count(side) < needed[side]) throw tooFew(side, 1 + this.count(side), this.had[side].limit);
  }

  /** Gives the sessions to the caller, with the settings of a job. */
  async take(): Promise<readonly Session[]> {
    const sessions: Session[] = [];
    await onBoth((side) =>
      guard({ side }, async () => {
        const { clients } = this.had[side];
        sessions.push(...(await Promise.all(clients.map((client) => asSession(client, this.first[side])))));
      }),
    );
    for (const side of SIDES) this.had[side] = { clients: [] };
    return sessions;
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await onBoth(async (side) => {
      const { clients } = this.had[side];
      this.had[side] = { clients: [] };
      await Promise.all(clients.map(disconnect));
    });
  }
}

const SIDES = ['source', 'target'] as const;

/** Does the work for both sides. @throws the first error, after the work for both sides has ended */
async function onBoth(work: (side: DatabaseSide) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(SIDES.map(work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function tooFew(side: DatabaseSide, sessionsHad: number, sessionLimit?: SessionLimit): SyncJobError {
  const problem = { code: 'too_few_sessions', side } as const;
  const facts = { sessionsNeeded: MIN_SESSIONS[side], sessionsHad, ...defined({ sessionLimit }) };
  return new SyncJobError({ ...problem, problems: [{ ...problem, ...facts }], problemCount: 1 });
}
