import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineLog } from '@understudy/postgres';
import { defined, SyncJobError } from '@understudy/sync-job';

/** The lock retry policy of a job: how long and how often it tries to get locks that other sessions hold. */
export interface LockRetry {
  /**
   * The limit of one try, in milliseconds. During a try, a session that needs the table waits behind the job.
   */
  readonly tryMs: number;
  /**
   * The maximum time from the start of the first try to the start of the last one, in milliseconds. 0 allows
   * only one try.
   */
  readonly totalMs: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly log: EngineLog;
  /** Called after each failed try, except the last. */
  readonly onWait: () => void;
}

/** The owner of a lock: a session, or a prepared transaction, which has no process. */
export interface LockHolder {
  readonly pid: number | null;
  readonly name: string | null;
  /** True for a session of this attempt, which keeps the lock until the job has ended. */
  readonly isOwn?: boolean;
  /** The index of the locked table in the command; absent if the command does not list the table. */
  readonly tableIndex?: number;
}

/**
 * Runs a transaction on the target, and repeats it from its beginning if it fails because of a lock. Between two
 * tries, the transaction holds no locks. The pauses between tries become longer.
 * @param attempt runs the transaction. When it rejects, it must have rolled back.
 * @param findHolders returns the owners of the locks; called after each try that failed because of a lock
 * @throws SyncJobError lock_timeout, with the lock owners in its cause, if the last try fails because of a lock ·
 * event_trigger_refused if an event trigger requested that lock ·
 * locked_by_itself, without waiting, if this attempt holds the lock ·
 * the signal's reason · other errors of `attempt`
 */
export async function untilUnlocked<T>(
  retry: LockRetry,
  attempt: () => Promise<T>,
  findHolders: () => Promise<readonly LockHolder[]>,
): Promise<T> {
  const { now, signal, log, totalMs, onWait } = retry;
  const startMs = now();
  let seen: readonly LockHolder[] = [];
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !isLockFailure(error)) throw error;
      const holders = await findHolders();
      if (holders.length > 0) seen = holders;
      const waitedMs = now() - startMs;
      const own = holders.filter(({ isOwn }) => isOwn === true);
      if (own.length > 0) throw lockTimeout(error, own, { tries, waitedMs }, 'locked_by_itself');
      if (waitedMs >= totalMs) throw lockTimeout(error, seen, { tries, waitedMs });
      log.warn(
        { holders, tries, waitedMs },
        `the job waits for tables that are locked by ${describeHolders(seen)}`,
      );
      onWait();
      // The last pause is shorter, so that the last try begins when `totalMs` has passed.
      const pauseMs = Math.min(pauseAfterMs(tries), totalMs - waitedMs);
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        signal.throwIfAborted();
      });
    }
  }
}

/**
 * Returns the pause after the given number of tries, in milliseconds. The pause is half a second after the first try
 * and doubles after each further try, up to half a minute.
 */
export function pauseAfterMs(tries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';

/** Returns true if the transaction failed because of a lock or a deadlock on the target. */
function isLockFailure(error: unknown): error is SyncJobError {
  if (!(error instanceof SyncJobError) || error.failure.side !== 'target') return false;
  const { code, sqlstate } = error.failure;
  return code === 'lock_timeout' || sqlstate === DEADLOCK || sqlstate === LOCK_NOT_AVAILABLE;
}

/** An event trigger can wait for a lock of its own, on any table. */
function codeOf({ failure: { code } }: SyncJobError): 'lock_timeout' | 'event_trigger_refused' {
  return code === 'event_trigger_refused' ? code : 'lock_timeout';
}

function lockTimeout(
  error: SyncJobError,
  holders: readonly LockHolder[],
  { tries, waitedMs }: { readonly tries: number; readonly waitedMs: number },
  code: 'lock_timeout' | 'locked_by_itself' | 'event_trigger_refused' = codeOf(error),
): SyncJobError {
  const tableIndex = holders.find((holder) => holder.tableIndex !== undefined)?.tableIndex;
  const message = `locked by ${describeHolders(holders)}, at each of ${tries} tries in ${Math.round(waitedMs / 1000)} s`;
  const cause = new Error(message, { cause: error });
  return new SyncJobError({ ...error.failure, code, ...defined({ tableIndex }) }, { cause });
}

/**
 * Describes the lock owners by their process ids. Omits session names, because the structured fields of the log contain
 * them.
 */
function describeHolders(holders: readonly LockHolder[]): string {
  const pids = [...new Set(holders.flatMap(({ pid }) => pid ?? []))];
  const prepared = holders.some(({ pid }) => pid === null) ? ['a prepared transaction'] : [];
  const all = [...(pids.length === 0 ? [] : [`process ${pids.join(', ')}`]), ...prepared];
  return all.length === 0 ? 'another session' : all.join(' and ');
}
