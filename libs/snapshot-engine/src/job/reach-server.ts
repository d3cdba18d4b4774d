import { DatabaseError, isUnreachable, retryUnreachable } from '@understudy/postgres';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import { SnapshotError } from './snapshot-failure.js';

/**
 * Opens the first session of an attempt. Each attempt after the first one waits up to a minute for a server that is
 * unreachable. If it stays so, it counts as lost, because another attempt may reach it.
 * @throws as `open` does, SnapshotError `connection_lost`, or the signal's reason
 */
export async function reachServer<Opened>(
  epoch: number,
  open: () => Promise<Opened>,
  { now }: SnapshotEnvironment,
  signal: AbortSignal,
): Promise<Opened> {
  if (epoch === 1) return open();
  try {
    return await retryUnreachable(open, { isUnreachable, now, signal });
  } catch (cause) {
    if (!(cause instanceof DatabaseError) || cause.code !== 'connection_failed') throw cause;
    throw new SnapshotError({ code: 'connection_lost', side: cause.side }, { cause });
  }
}
