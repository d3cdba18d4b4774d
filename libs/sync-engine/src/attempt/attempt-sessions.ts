import { openJobSession, openWithRetry, reachingAgain } from '../session/open-session.js';
import { disconnect, type Session, type ConnectionTarget } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import { openFirstSession } from '../session/session-room.js';
import type { LocatedSession } from '../session/located-client.js';
import type { JobDatabases, RunningJob, SessionOpeners } from './running-job.js';
import { joinSnapshot } from '../source/join-snapshot.js';
import { requireStaging } from '../stage/own-staging.js';
import { sessionName } from '../session/job-attempt.js';

/**
 * Opens the first session that an attempt has on one of its databases. If the job has had an earlier attempt,
 * the function retries for a minute while the server cannot be reached.
 */
export async function openFirst(
  { command, contexts, environment, signal }: RunningJob,
  target: ConnectionTarget,
  side: DatabaseSide,
): Promise<LocatedSession> {
  const { sessionWaitMs } = environment.copy;
  const open = () => openFirstSession(target, side, { name: sessionName(command), sessionWaitMs });
  if (command.epoch === 1) return contexts.locate(await open());
  return contexts.locate(await reachingAgain(() => openWithRetry(open, environment.now, signal)));
}

/**
 * Waits until each session is open or has failed, so that no session is still being opened when the caller
 * handles an error.
 * @throws the error of the source's session if it failed, otherwise the error of the target's session
 */
export async function openBoth(
  opening: readonly [source: Promise<LocatedSession>, target: Promise<LocatedSession>],
): Promise<readonly [source: LocatedSession, target: LocatedSession]> {
  const [source, target] = await Promise.allSettled(opening);
  if (source.status === 'rejected') throw source.reason;
  if (target.status === 'rejected') throw target.reason;
  return [source.value, target.value];
}

/** Returns a session that the attempt has kept on the database of `beside`, or opens another one. */
async function openBeside({ command, sessions }: SessionOwner, { target, side }: Session): Promise<Session> {
  const kept = sessions?.take(side);
  return kept ?? (await reachingAgain(() => openJobSession(target, side, sessionName(command))));
}

type SessionOwner = Pick<RunningJob, 'command'> & Partial<Pick<RunningJob, 'sessions'>>;

/** Returns functions that open further sessions of an attempt. */
export function sessionOpeners(
  job: RunningJob,
  databases: Pick<JobDatabases, 'source' | 'target' | 'snapshot'>,
): SessionOpeners {
  return {
    source: () => openSource(job, databases),
    target: () => openTarget(job, databases),
    unstagedTarget: () => openBeside(job, databases.target),
  };
}

/** Opens another session on the source, and joins the snapshot. */
export function openSource(
  job: SessionOwner,
  { source, snapshot }: Pick<JobDatabases, 'source' | 'snapshot'>,
): Promise<Session> {
  return prepared(openBeside(job, source), (client) => joinSnapshot(client, snapshot.id));
}

/**
 * Opens another session on the target, and checks that the job's staging schema exists.
 * @throws SyncJobError lease_lost if the staging schema has been removed
 */
export function openTarget(job: RunningJob, { target }: Pick<JobDatabases, 'target'>): Promise<Session> {
  return prepared(openBeside(job, target), (client) => requireStaging(client, job.command.jobId));
}

/**
 * Lets each query of the session run in one process. Parallel workers would take time from the job's other sessions,
 * which copy or build and need more time. By default, a job has as many pairs of connections as its agent has cores.
 */
export function withoutWorkers(opening: Promise<Session>): Promise<Session> {
  return prepared(opening, (client) => client.query('SET max_parallel_workers_per_gather = 0'));
}

/** Prepares a session, and closes it if that fails. */
async function prepared(
  opening: Promise<Session>,
  prepare: (client: Session['client']) => Promise<unknown>,
): Promise<Session> {
  const session = await opening;
  try {
    await prepare(session.client);
    return session;
  } catch (error) {
    await disconnect(session.client);
    throw error;
  }
}
