import { OWN_PATH } from '@understudy/postgres';
import type { LocatedClient } from '../../session/located-client.js';
import { fence, touch } from '../ledger/ledger-tables.sql.js';
import { rollBackAndThrow } from '../claim-epoch.js';
import type { Build } from '../ledger/staging-ledger.js';
import { stagingTable } from '../staging-names.js';
import { type JobAttempt } from '../../session/job-attempt.js';

export interface BuildRequest {
  readonly attempt: JobAttempt;
  /** SQL that sets the search path with which the server evaluates the table's rows. */
  readonly setPath: string;
  /**
   * Waits until no session of the job reads the table any more. Called only if the SQL of `attaching` has to wait, so
   * that no rejected promise is left without a handler.
   */
  readonly whenRead: () => Promise<unknown>;
}

/**
 * Builds all indexes and keys of a table in one transaction, and records in the ledger that they are built.
 * @throws SyncJobError, or the error with which `whenRead` rejects
 */
export async function buildIndexes(
  client: LocatedClient,
  { n, building, attaching }: Build,
  { attempt, setPath, whenRead }: BuildRequest,
): Promise<void> {
  const { jobId, epoch } = attempt;
  const markDone = `UPDATE ${stagingTable(jobId, 'build')} SET done = true WHERE n = ${n}`;
  try {
    await client.query(`BEGIN; SET LOCAL synchronous_commit = off; ${setPath}; ${building}`);
    if (attaching !== '') await whenRead();
    await client.query(
      `${attaching}; ${OWN_PATH}; ${markDone}; ${fence(jobId, epoch)}; COMMIT; ${touch(jobId, epoch)}`,
    );
  } catch (error) {
    await rollBackAndThrow(client.plain, attempt, error);
  }
}
