import { openJobClient } from '../session/open-session.js';
import { type EngineLog, type ConnectionTarget, disconnect } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { endOlderAttempts, type JobAttempt, sessionName } from '../session/job-attempt.js';
import { dropStaging } from '../stage/drop-staging.js';
import { isUntrusted } from '../stage/own-staging.js';
import { claimEpoch } from '../stage/claim-epoch.js';

/**
 * Removes everything that the attempts of a job left on its target. Any agent can call this function, also
 * repeatedly. Afterwards, an attempt that is still running cannot commit. A staging schema that belongs to
 * another role is neither read nor removed.
 * @param attempt must have a higher epoch than every other attempt of the job
 * @throws SyncJobError with `lease_lost` if there is a later attempt, or with another code if the target
 * cannot be reached; PostgreSQL's own errors
 */
export async function cleanUpTarget(
  target: ConnectionTarget,
  attempt: JobAttempt,
  log: EngineLog,
): Promise<void> {
  const client = await openJobClient(target, 'target', sessionName(attempt)).catch(unlessGone);
  if (client === undefined) return;
  try {
    await claimEpoch(client, attempt);
    await endOlderAttempts(client, attempt);
    await dropStaging(client, attempt);
  } catch (error) {
    if (!isUntrusted(error)) throw error;
    log.warn({ ...attempt }, 'the staging schema of a job belongs to another role and is not removed');
  } finally {
    await disconnect(client);
  }
}

/** A job that replaces a database can have no target yet. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof SyncJobError) || error.failure.code !== 'database_not_found') throw error;
}

/**
 * Ends the sessions of a job on its source, which include the snapshot keeper's.
 * @throws as {@link cleanUpTarget} does
 */
export async function endOnSource(source: ConnectionTarget, attempt: JobAttempt): Promise<void> {
  const client = await openJobClient(source, 'source', sessionName(attempt));
  try {
    await endOlderAttempts(client, attempt);
  } finally {
    await disconnect(client);
  }
}
