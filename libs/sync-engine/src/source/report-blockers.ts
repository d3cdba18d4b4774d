import { openJobClient } from '../session/open-session.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionTarget, blockingSessions, disconnect } from '@understudy/postgres/session';

/**
 * Waits for one second. If the session to check is then waiting for locks, reports the sessions that hold
 * these locks.
 * @param backendPid the session of the source to check
 * @param signal ends the wait
 */
export async function reportBlockers(
  source: ConnectionTarget,
  backendPid: number,
  signal: AbortSignal,
  report: (backendPids: readonly number[]) => void,
): Promise<void> {
  await sleep(CHECK_AFTER_MS, undefined, { signal });
  const client = await openJobClient(source, 'source');
  try {
    const backendPids = await blockingSessions(client, backendPid);
    if (backendPids.length > 0 && !signal.aborted) report(backendPids);
  } finally {
    await disconnect(client);
  }
}

const CHECK_AFTER_MS = 1_000;
