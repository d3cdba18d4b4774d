import { openJobSession, reachingAgain } from '../session/open-session.js';
import { disconnect, killSession, type Session } from '@understudy/postgres/session';
import { failureBehind } from '../session/guard.js';
import type { KeeperReply, KeeperRequest, HoldOrder } from './keeper-messages.js';
import { beginSnapshot } from './snapshot-transaction.js';
import { reportBlockers } from './report-blockers.js';

/**
 * Runs the snapshot keeper. It is a separate process, so that the next attempt can join the snapshot even if
 * the agent was killed. It receives its order from the agent over a pipe. It exits if the agent does not renew
 * it in time, or if its connection to the source breaks. After a release, it waits for another order.
 */
async function hold(order: HoldOrder): Promise<void> {
  const expiry = setTimeout(() => process.exit(0), order.expiresAfterMs);
  process.on('message', exitBeforeOpening);
  const session = await openJobSession(order.source, 'source', order.sessionName);
  process.off('message', exitBeforeOpening);
  const { client, backendPid } = session;
  const exit = () => process.exit(1);
  client.on('end', exit);
  let isHeld = false;
  const obey = ({ kind }: KeeperRequest): void => {
    if (kind === 'renew') expiry.refresh();
    if (kind === 'confirm') confirm(session).catch(rollBackAndThrow);
    if (kind === 'release') (isHeld ? release() : endWithoutSnapshot(session)).catch(rollBackAndThrow);
  };
  const release = async (): Promise<void> => {
    process.off('message', obey);
    await client.query('ROLLBACK');
    client.off('end', exit);
    await disconnect(client);
    clearTimeout(expiry);
    acceptOrder();
    reply({ kind: 'released' });
  };
  process.on('message', obey);
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

async function confirm({ client }: Session): Promise<void> {
  await client.query('SELECT');
  reply({ kind: 'confirmed' });
}

async function endWithoutSnapshot(session: Session): Promise<void> {
  await killSession(session);
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

/**
 * Waits for an order. Only the pipe keeps the process alive until then, so the process ends if the agent ends.
 * Ignores late messages for an order that has ended.
 */
function acceptOrder(): void {
  const accept = (message: KeeperRequest): void => {
    if (message.kind !== 'hold') return;
    process.off('message', accept);
    reachingAgain(() => hold(message)).catch(rollBackAndThrow);
  };
  process.on('message', accept);
}

acceptOrder();
