import { type EngineLog, observeSession, type SessionState, type Session } from '@understudy/postgres';
import type { JobAttempt } from '../session/job-attempt.js';
import { SyncJobError } from '@understudy/sync-job';

export interface WatchdogSettings {
  /**
   * A pair of sessions that copies no byte for this many milliseconds is checked. The check fails if a
   * session is blocked or gone, or if no server is working for the pair. After half this time, the states of
   * the pair's sessions are logged.
   */
  readonly stallAfterMs: number;
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
  /** Called with the session states of a pair that copies nothing, for the local log. */
  readonly onStandstill: (standstill: Standstill) => void;
}

const STALL_AFTER_MS = 60_000;

/**
 * Returns settings with a limit of one minute. Their `onStandstill` writes each standstill to the log.
 * @param attempt may be a whole command; only its job id and epoch are logged, because a command contains
 * passwords
 */
export function loggedWatchdog(log: EngineLog, { jobId, epoch }: JobAttempt): WatchdogSettings {
  return {
    stallAfterMs: STALL_AFTER_MS,
    nowMs: () => performance.now(),
    onStandstill: (standstill) => {
      log.warn({ jobId, epoch, standstill }, 'a pair of connections copies no rows');
    },
  };
}

export interface Standstill {
  readonly tableIndex: number;
  readonly stillForMs: number;
  readonly source: SessionState;
  readonly target: SessionState;
}

export interface PairUnderWatch {
  readonly source: Session;
  readonly target: Session;
  begins(tableIndex: number): void;
  moved(): void;
  done(): void;
}

/**
 * Monitors the pairs of sessions that copy chunks. If a pair copies no byte for half of `stallAfterMs`, the
 * watchdog reads the states of the pair's sessions through other connections and logs them. After
 * `stallAfterMs`, it reports an error if a session is blocked or gone, or if no server is working for the
 * pair.
 */
export class Watchdog {
  private readonly pairs = new Set<WatchedPair>();
  private readonly timer: NodeJS.Timeout;

  /** @param onStall called with lock_timeout, connection_lost or stalled if the check of a pair fails */
  constructor(
    private readonly settings: WatchdogSettings,
    private readonly onStall: (error: SyncJobError) => void,
  ) {
    this.timer = setInterval(() => {
      for (const pair of this.pairs) void this.check(pair);
    }, settings.stallAfterMs / 4);
  }

  watch(source: Session, target: Session): PairUnderWatch {
    const pair = new WatchedPair(source, target, this.settings.nowMs, () => this.pairs.delete(pair));
    this.pairs.add(pair);
    return pair;
  }

  stop(): void {
    clearInterval(this.timer);
    this.pairs.clear();
  }

  private async check(pair: WatchedPair): Promise<void> {
    const { stallAfterMs, nowMs, onStandstill } = this.settings;
    const stillForMs = nowMs() - pair.movedAtMs;
    const due = stillForMs >= stallAfterMs ? 'judge' : stillForMs >= stallAfterMs / 2 ? 'log' : 'nothing';
    if (due === 'nothing' || pair.isUnderInspection || (due === 'log' && pair.isLogged)) return;
    const { movedAtMs, tableIndex } = pair;
    pair.isUnderInspection = true;
    const [source, target] = await Promise.all([observeSession(pair.source), observeSession(pair.target)]);
    pair.isUnderInspection = false;
    // While the states were read, the pair has copied bytes or ended.
    if (pair.movedAtMs !== movedAtMs || !this.pairs.has(pair)) return;
    onStandstill({ tableIndex, stillForMs, source, target });
    pair.isLogged = true;
    if (due === 'log') return;
    const error = judge(tableIndex, source, target);
    if (error === undefined) pair.moved();
    else this.onStall(error);
  }
}

class WatchedPair implements PairUnderWatch {
  movedAtMs: number;
  tableIndex = 0;
  isLogged = false;
  isUnderInspection = false;

  constructor(
    readonly source: Session,
    readonly target: Session,
    private readonly nowMs: () => number,
    readonly done: () => void,
  ) {
    this.movedAtMs = nowMs();
  }

  begins(tableIndex: number): void {
    this.tableIndex = tableIndex;
    this.moved();
  }

  moved(): void {
    this.movedAtMs = this.nowMs();
    this.isLogged = false;
  }
}

/**
 * Returns the error of a pair that has copied no byte for `stallAfterMs`.
 * @returns undefined if a server is working for the pair, or may be, and neither session is blocked or gone
 */
function judge(tableIndex: number, source: SessionState, target: SessionState): SyncJobError | undefined {
  const sides = [
    ['target', target],
    ['source', source],
  ] as const;
  for (const [side, state] of sides) {
    if (state.kind === 'blocked') return new SyncJobError({ code: 'lock_timeout', side, tableIndex });
    if (state.kind === 'gone') return new SyncJobError({ code: 'connection_lost', side, tableIndex });
  }
  if (sides.some(([, { kind }]) => kind === 'working' || kind === 'unobserved')) return undefined;
  return new SyncJobError({ code: 'stalled', side: 'target', tableIndex });
}
