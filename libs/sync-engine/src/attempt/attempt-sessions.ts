import { openJobSession, openPatiently } from '../session/open-session.js';
import { disconnect, type Session, type ConnectionTarget } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import type { JobDatabases, RunningJob } from './running-job.js';
import { joinSnapshot } from '../source/join-snapshot.js';
import { requireStaging } from '../stage/own-staging.js';
import { sessionName } from '../session/job-attempt.js';

/** An attempt's first session with a database. One after the first attempt waits for a server that restarts. */
export function openFirst(
  { command, environment, signal }: RunningJob,
  target: ConnectionTarget,
  side: DatabaseSide,
): Promise<Session> {
  const open = () => openJobSession(target, side, sessionName(command));
  return command.epoch === 1 ? open() : openPatiently(open, environment.now, signal);
}

/** Waits for both, so that neither opens when nobody looks after it any more. @throws the source's failure first */
export async function openBoth(
  opening: readonly [source: Promise<Session>, target: Promise<Session>],
): Promise<readonly [source: Session, target: Session]> {
  const [source, target] = await Promise.allSettled(opening);
  if (source.status === 'rejected') throw source.reason;
  if (target.status === 'rejected') throw target.reason;
  return [source.value, target.value];
}

/** One more session with the source, in the snapshot. */
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

/** One more session with the target, for work in the job's staging. @throws SyncJobError lease_lost when that has been removed */
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
