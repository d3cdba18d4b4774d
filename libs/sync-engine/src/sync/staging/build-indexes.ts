import { guard } from '../../postgres/guard.js';
import type { FailureContext } from '../../postgres/server-failure.js';
import type { Client, Session } from '../../postgres/session.js';
import { overSessions } from '../over-sessions.js';
import { fence, touch } from './ledger-tables.sql.js';
import { giveUp } from './give-up.js';
import type { Build } from './staging-ledger.js';
import { type JobAttempt, stagingTable } from './staging-names.js';

export interface BuildRequest {
  readonly attempt: JobAttempt;
  readonly builds: readonly Build[];
  /** At most so many at once. */
  readonly connections: number;
  readonly openTarget: () => Promise<Session>;
  readonly contextOf: (tableIndex: number | undefined) => FailureContext;
  readonly signal: AbortSignal;
}

/**
 * Builds what is noted, a heap with all its indexes in one transaction, several at once. What is built is noted with it, and not built
 * again by a later attempt.
 * @throws the first failure, or the signal's reason; then all have stopped
 */
export function buildIndexes(request: BuildRequest): Promise<void> {
  const { builds, connections, openTarget, signal } = request;
  return overSessions({
    tasks: builds,
    connections,
    open: openTarget,
    run: (client, next) => build(client, next, request),
    signal,
  });
}

async function build(client: Client, { n, tableIndex, sql }: Build, request: BuildRequest): Promise<void> {
  const { attempt } = request;
  const { jobId, epoch } = attempt;
  const note = `UPDATE ${stagingTable(jobId, 'build')} SET done = true WHERE n = ${n}`;
  try {
    await guard(request.contextOf(tableIndex), () =>
      client.query(
        `BEGIN; SET LOCAL synchronous_commit = off; ${sql}; ${note}; ${fence(jobId, epoch)}; COMMIT; ${touch(jobId, epoch)}`,
      ),
    );
  } catch (error) {
    await giveUp(client, attempt, error);
  }
}
