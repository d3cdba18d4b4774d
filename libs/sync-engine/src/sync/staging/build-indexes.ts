import { disconnect } from '../../postgres/connect.js';
import { guard } from '../../postgres/guard.js';
import type { FailureContext } from '../../postgres/server-failure.js';
import { type Client, killSessions, type Session } from '../../postgres/session.js';
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
export async function buildIndexes(request: BuildRequest): Promise<void> {
  const { builds, signal } = request;
  const waiting = [...builds];
  const sessions = new Set<Session>();
  let halted: { readonly reason: unknown; readonly killed: Promise<void> } | undefined;
  const halt = (reason: unknown) => {
    waiting.length = 0;
    // An index may take hours: the server is told.
    halted ??= { reason, killed: killSessions([...sessions]) };
  };
  const onAbort = () => {
    halt(signal.reason);
  };
  const work = async () => {
    const session = await request.openTarget();
    sessions.add(session);
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await build(session.client, next, request);
      }
    } finally {
      sessions.delete(session);
      await disconnect(session.client);
    }
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort);
  try {
    const workers = Math.min(request.connections, builds.length);
    await Promise.all(Array.from({ length: workers }, () => work().catch(halt)));
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  await halted?.killed;
  if (halted !== undefined) throw halted.reason;
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
