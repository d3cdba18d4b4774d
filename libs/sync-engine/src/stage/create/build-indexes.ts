import { guard, type FailureContext } from '../../session/guard.js';
import type { Client } from '@understudy/postgres';
import { fence, touch } from '../ledger/ledger-tables.sql.js';
import { rollBackAndThrow } from '../claim-epoch.js';
import type { Build } from '../ledger/staging-ledger.js';
import { stagingTable } from '../staging-names.js';
import { type JobAttempt } from '../../session/job-attempt.js';

export interface BuildRequest {
  readonly attempt: JobAttempt;
  readonly context: FailureContext;
  /** Resolves when nobody of the job reads the table any more: a lock that shuts readers out is not even asked for before. */
  readonly whenRead: Promise<void>;
}

/**
 * Builds all indexes and keys of a heap in one transaction. What is built is noted with it, and not built again by a later attempt.
 * @throws what `whenRead` rejects with, among others
 */
export async function buildIndexes(
  client: Client,
  { n, building, attaching }: Build,
  { attempt, context, whenRead }: BuildRequest,
): Promise<void> {
  const { jobId, epoch } = attempt;
  const note = `UPDATE ${stagingTable(jobId, 'build')} SET done = true WHERE n = ${n}`;
  try {
    await guard(context, () => client.query(`BEGIN; SET LOCAL synchronous_commit = off; ${building}`));
    if (attaching !== '') await whenRead;
    await guard(context, () =>
      client.query(`${attaching}; ${note}; ${fence(jobId, epoch)}; COMMIT; ${touch(jobId, epoch)}`),
    );
  } catch (error) {
    await rollBackAndThrow(client, attempt, error);
  }
}
