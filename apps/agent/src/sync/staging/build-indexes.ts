import { guard } from '../../postgres/guard.js';
import type { FailureContext } from '../../postgres/server-failure.js';
import type { Client } from '../../postgres/session.js';
import { SyncJobError } from '../sync-job-error.js';
import { fence } from './ledger-tables.sql.js';
import { type Build, isOvertaken } from './staging-ledger.js';
import { type JobAttempt, stagingTable } from './staging-names.js';

export interface BuildRequest {
  readonly attempt: JobAttempt;
  readonly builds: readonly Build[];
  readonly clients: readonly Client[];
  readonly contextOf: (tableIndex: number | undefined) => FailureContext;
  readonly signal: AbortSignal;
}

/**
 * Builds what is noted, a heap with all its indexes in one transaction, as many at once as there are clients. What is built is noted
 * with it, and not built again by a later attempt. The first failure is thrown when all have stopped.
 */
export async function buildIndexes(request: BuildRequest): Promise<void> {
  const waiting = [...request.builds];
  const failures: unknown[] = [];
  const work = async (client: Client) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await build(client, next, request).catch((error: unknown) => {
        failures.push(error);
        waiting.length = 0;
      });
    }
  };
  await Promise.all(request.clients.map(work));
  request.signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}

async function build(client: Client, { n, tableIndex, sql }: Build, request: BuildRequest): Promise<void> {
  const { attempt, signal } = request;
  const { jobId, epoch } = attempt;
  signal.throwIfAborted();
  const note = `UPDATE ${stagingTable(jobId, 'build')} SET done = true WHERE n = ${n}`;
  try {
    await guard(request.contextOf(tableIndex), () =>
      client.query(
        `BEGIN; SET LOCAL synchronous_commit = off; ${sql}; ${note}; ${fence(jobId, epoch)}; COMMIT`,
      ),
    );
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (!(await isOvertaken(client, attempt))) throw error;
    throw new SyncJobError({ code: 'lease_lost' }, { cause: error });
  }
}
