import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineLog } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';

/** How a job stands back for sessions that hold what it needs. */
export interface LockRetry {
  /** Whoever wants the same table queues behind the job for no longer. */
  readonly tryMs: number;
  /** From the first try on; 0: one try. */
  readonly totalMs: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly log: EngineLog;
  /** Told of each try that was in vain, when another one will be made. */
  readonly onWait: () => void;
}

/** Somebody who holds a lock; a prepared transaction has no process. */
export interface LockHolder {
  readonly pid: number | null;
  readonly name: string | null;
  /** Of the command, when it is a listed table that is held. */
  readonly tableIndex?: number;
}

/**
 * Runs a transaction on the target anew, from its beginning, while it fails for want of a lock; in between it holds nothing, and waits
 * longer each time.
 * @param attempt has rolled back what it did when it rejects
 * @param whoHolds asked after a try that was in vain
 * @throws SyncJobError lock_timeout when the time is over, with the holders in its cause; the signal's reason; what else `attempt` throws
 */
export async function untilUnlocked<T>(
  retry: LockRetry,
  attempt: () => Promise<T>,
  whoHolds: () => Promise<readonly LockHolder[]>,
): Promise<T> {
  const { now, signal, log, totalMs, onWait } = retry;
  const startMs = now();
  let seen: readonly LockHolder[] = [];
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !isWantOfLock(error)) throw error;
      const holders = await whoHolds();
      if (holders.length > 0) seen = holders;
      const waitedMs = now() - startMs;
      if (waitedMs >= totalMs) throw heldTooLong(error, seen, { tries, waitedMs });
      log.warn({ holders, tries, waitedMs }, `the job waits for tables that are locked by ${named(seen)}`);
      onWait();
      // The last try is made when the time is over, and not before.
      const pauseMs = Math.min(pauseAfterMs(tries), totalMs - waitedMs);
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        signal.throwIfAborted();
      });
    }
  }
}

/** Doubles from half a second to half a minute. */
export function pauseAfterMs(tries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const DEADLOCK = '40P01';

/** A deadlock is one too: the server has chosen this transaction to give way. */
function isWantOfLock(error: unknown): error is SyncJobError {
  if (!(error instanceof SyncJobError) || error.failure.side !== 'target') return false;
  return error.failure.code === 'lock_timeout' || error.failure.sqlstate === DEADLOCK;
}

function heldTooLong(
  error: SyncJobError,
  holders: readonly LockHolder[],
  { tries, waitedMs }: { readonly tries: number; readonly waitedMs: number },
): SyncJobError {
  const tableIndex = holders.find((holder) => holder.tableIndex !== undefined)?.tableIndex;
  const words = `locked by ${named(holders)}, at each of ${tries} tries in ${Math.round(waitedMs / 1000)} s`;
  return new SyncJobError(
    { ...error.failure, code: 'lock_timeout', ...(tableIndex === undefined ? {} : { tableIndex }) },
    { cause: new Error(words, { cause: error }) },
  );
}

/** Processes alone: names of sessions are for the facts of the log. */
function named(holders: readonly LockHolder[]): string {
  const pids = [...new Set(holders.flatMap(({ pid }) => pid ?? []))];
  const prepared = holders.some(({ pid }) => pid === null) ? ['a prepared transaction'] : [];
  const all = [...(pids.length === 0 ? [] : [`process ${pids.join(', ')}`]), ...prepared];
  return all.length === 0 ? 'another session' : all.join(' and ');
}
