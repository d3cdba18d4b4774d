import { openJobSession, openWithRetry } from '../session/open-session.js';
import { disconnect, type Session, type ConnectionTarget } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import type { JobDatabases, RunningJob } from './running-job.js';
import { joinSnapshot } from '../source/join-snapshot.js';
import { requireStaging } from '../stage/own-staging.js';
import { sessionName } from '../session/job-attempt.js';

/**
 * Opens an attempt's first session with a database. An attempt after the first one retries for a minute while
 * the server cannot be reached.
 */
export function openFirst(
  { command, environment, signal }: RunningJob,
  target: ConnectionTarget,
  side: DatabaseSide,
): Promise<Session> {
  const open = () => openJobSession(target, side, sessionName(command));
  return command.epoch === 1 ? open() : openWithRetry(open, environment.now, signal);
}

/**
 * Waits until each session is open or has failed, so that none opens after the caller has stopped.
 * @throws the source's error, or else the target's
 */
export async function openBoth(
  opening: readonly [source: Promise<Session>, target: Promise<Session>],
): Promise<readonly [source: Session, target: Session]> {
  const [source, target] = await Promise.allSettled(opening);
  if (source.status === 'rejected') throw source.reason;
  if (target.status === 'rejected') throw target.reason;
  return [source.value, target.value];
}

/** Opens another session with the source, and joins the snapshot. */
export async function openSource(
  { command }: Pick<RunningJob, 'command'>,
  { source, snapshot }: Pick<JobDatabases, 'source' | 'snapshot'>,
): Promise<Session> {
  const session = await openJobSession(source.target, 'source', sessionName(command));
  try {
    await joinSnapshot(session.client, snapshot.id);
    return session;
  } catch (error) {
    await disconnect(session.client);
    throw error;
  }
}

/**
 * Opens another session with the target, for work in the job's staging schema.
 * @throws SyncJobError lease_lost if the staging schema has been removed
 */
export async function openTarget({ command }: RunningJob, { target }: JobDatabases): Promise<Session> {
  const session = await openJobSession(target.target, 'target', sessionName(command));
  try {
    await requireStaging(session.client, command.jobId);
    return session;
  } catch (error) {
    await disconnect(session.client);
    throw error;
  }
}
