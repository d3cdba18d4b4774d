import { openJobSession } from '../session/open-session.js';
import { killSession, type Session } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { KeeperReply, KeeperRequest, HoldOrder } from './keeper-messages.js';
import { beginSnapshot } from './snapshot-transaction.js';
import { tellWhoBlocks } from './report-blockers.js';

/**
 * The snapshot keeper, a process of its own: it outlives an agent that is killed, so that the next attempt can
 * still join the snapshot. It learns what to do over the pipe it was started with, and leaves when it is told to, when
 * nobody has renewed it in time, or when its connection to the source breaks.
 */
async function hold(order: HoldOrder): Promise<void> {
  const renew = leaveUnlessRenewed(order.expiresAfterMs);
  process.on('message', leaveUnopened);
  const session = await openJobSession(order.source, 'source', order.sessionName);
  process.off('message', leaveUnopened);
  const { client, backendPid } = session;
  client.on('end', () => process.exit(1));
  let isHeld = false;
  process.on('message', (message: KeeperRequest) => {
    if (message.kind === 'renew') renew();
    if (message.kind === 'confirm') confirm(session).catch(rollBackAndThrow);
    if (message.kind === 'release') release(session, isHeld).catch(rollBackAndThrow);
  });
  const waiting = new AbortController();
  // It only informs; what it cannot find out is not said.
  tellWhoBlocks(order.source, backendPid, waiting.signal, (backendPids) => {
    reply({ kind: 'blocked', backendPids });
  }).catch(() => undefined);
  const snapshotId = await beginSnapshot(client, order).finally(() => {
    waiting.abort();
  });
  isHeld = true;
  reply({ kind: 'held', snapshotId, backendPid });
}

/** One that is called off while it still connects holds nothing. */
function leaveUnopened({ kind }: KeeperRequest): void {
  if (kind === 'release') process.exit(0);
}

function leaveUnlessRenewed(afterMs: number): () => void {
  const timer = setTimeout(() => process.exit(0), afterMs);
  return () => {
    timer.refresh();
  };
}

async function confirm({ client }: Session): Promise<void> {
  await client.query('SELECT');
  reply({ kind: 'confirmed' });
}

/** The locks are gone when it resolves: whoever waits for this process to end may rely on it. */
async function release(session: Session, isHeld: boolean): Promise<void> {
  if (isHeld) await session.client.query('ROLLBACK');
  else await killSession(session);
  process.exit(0);
}

function reply(message: KeeperReply): void {
  // Nobody may be there any more to hear it.
  if (process.connected) process.send?.(message);
}

function rollBackAndThrow(error: unknown): void {
  const failure = error instanceof SyncJobError ? error.failure : ({ code: 'internal' } as const);
  const { cause } = error as Error;
  const detail = cause instanceof Error ? cause.message : String(error);
  if (!process.connected || process.send === undefined) process.exit(1);
  process.send({ kind: 'failed', failure, detail } satisfies KeeperReply, () => process.exit(1));
}

// An agent that dies before it has said anything takes this process with it: nothing else keeps it.
process.once('message', (order: HoldOrder) => {
  hold(order).catch(rollBackAndThrow);
});
