import { openJobClient } from '../session/open-session.js';
import { type EngineLog, type ConnectionTarget, disconnect } from '@understudy/postgres';
import { endOlderAttempts, type JobAttempt, sessionName } from '../session/job-attempt.js';
import { dropStaging } from '../stage/drop-staging.js';
import { isUntrusted } from '../stage/own-staging.js';
import { claimEpoch } from '../stage/claim-epoch.js';

/**
 * Removes all that earlier attempts of a job have on its target, whichever agent made them; one that still works there can commit
 * nothing any more. Once or ten times is the same. What others have put there under the job's name stays, unopened.
 * @param attempt its epoch is above that of every attempt
 * @throws SyncJobError when the target cannot be reached, lease_lost when there is a later attempt · PostgreSQL's own errors
 */
export async function clearTarget(
  target: ConnectionTarget,
  attempt: JobAttempt,
  log: EngineLog,
): Promise<void> {
  const client = await openJobClient(target, 'target', sessionName(attempt));
  try {
    await claimEpoch(client, attempt);
    await endOlderAttempts(client, attempt);
    await dropStaging(client, attempt);
  } catch (error) {
    if (!isUntrusted(error)) throw error;
    log.warn({ ...attempt }, 'the staging schema of a job is not this role’s own: it is left as it is');
  } finally {
    await disconnect(client);
  }
}
