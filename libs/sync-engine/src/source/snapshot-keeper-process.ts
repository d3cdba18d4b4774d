import { openJobSession, reachingAgain } from '../session/open-session.js';
import { killSession, type Session } from '@understudy/postgres/session';
import { failureBehind } from '../session/guard.js';
import type { KeeperReply, KeeperRequest, HoldOrder } from './keeper-messages.js';
import { beginSnapshot } from './snapshot-transaction.js';
import { reportBlockers } from './report-blockers.js';

/**
 * Runs the snapshot keeper. It is a separate process, so that the next attempt can join the snapshot even if
 * the agent was killed. It receives its order from the agent over a pipe. It exits if the agent releases it
 * or does not renew it in time, or if its connection to the source breaks.
 */
async function hold(order: HoldOrder): Promise<void> {
  const renew = exitUnlessRenewed(order.expiresAfterMs);
  process.on('message', exitBeforeOpening);
  const session = await openJobSession(order.source, 'source', order.sessionName);
  process.off('message', exitBeforeOpening);
  const { client, backendPid } = session;
  client.on('end', () => process.exit(1));
  let isHeld = false;
  process.on('message', (message: KeeperRequest) => {
    if (message.kind === 'renew') renew();
    if (message.kind === 'confirm') confirm(session).catch(rollBackAndThrow);
    if (message.kind === 'release') release(session, isHeld).catch(rollBackAndThrow);
  });
  const waiting = new AbortController();
  // The report is only for the log, so its errors are ignored.
  reportBlockers(order.source, backendPid, waiting.signal, (backendPids) => {
    reply({ kind: 'blocked', backendPids });
  }).catch(() => undefined);
  const snapshotId = await beginSnapshot(client, order).finally(() => {
    waiting.abort();
  });
  isHeld = true;
  reply({ kind: 'held', snapshotId, backendPid });
}

/**
 * Exits if the keeper is released before it is connected. Before it is connected, it holds no snapshot and no
 * locks.
 */
function exitBeforeOpening({ kind }: KeeperRequest): void {
  if (kind === 'release') process.exit(0);
}

function exitUnlessRenewed(afterMs: number): () => void {
  const timer = setTimeout(() => process.exit(0), afterMs);
  return () => {
    timer.refresh();
  };
}

async function confirm({ client }: Session): Promise<void> {
  await client.query('SELECT');
  reply({ kind: 'confirmed' });
}

/**
 * Ends the transaction, then the process. The agent treats the end of the process as the release of the
 * locks.
 */
async function release(session: Session, isHeld: boolean): Promise<void> {
  if (isHeld) await session.client.query('ROLLBACK');
  else await killSession(session);
  process.exit(0);
}

function reply(message: KeeperReply): void {
  // If the agent has ended, nobody receives the message.
  if (process.connected) process.send?.(message);
}

function rollBackAndThrow(error: unknown): void {
  const failure = failureBehind(error);
  const { cause } = error as Error;
  const detail = cause instanceof Error ? cause.message : String(error);
  if (!process.connected || process.send === undefined) process.exit(1);
  process.send({ kind: 'failed', failure, detail } satisfies KeeperReply, () => process.exit(1));
}

// Before the first message, only the pipe keeps this process alive. If the agent ends, this process then ends
// too.
process.once('message', (order: HoldOrder) => {
  reachingAgain(() => hold(order)).catch(rollBackAndThrow);
});
