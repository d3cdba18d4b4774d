import { openJobClient } from '../session/open-session.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionTarget, blockingSessions, disconnect } from '@understudy/postgres';

/** Looks, after a second, for whom a session of the source waits, and tells when there is somebody. @param signal ends it */
export async function tellWhoBlocks(
  source: ConnectionTarget,
  backendPid: number,
  signal: AbortSignal,
  tell: (backendPids: readonly number[]) => void,
): Promise<void> {
  await sleep(LOOK_AFTER_MS, undefined, { signal });
  const client = await openJobClient(source, 'source');
  try {
    const backendPids = await blockingSessions(client, backendPid);
    if (backendPids.length > 0 && !signal.aborted) tell(backendPids);
  } finally {
    await disconnect(client);
  }
}

const LOOK_AFTER_MS = 1_000;
