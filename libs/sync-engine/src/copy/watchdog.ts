import { type EngineLog, observeSession, type SessionState, type Session } from '@understudy/postgres';
import type { JobAttempt } from '../session/job-attempt.js';
import { SyncJobError } from '@understudy/sync-job';

export interface WatchdogSettings {
  /** A pair that moves nothing for so long is looked into. */
  readonly stallAfterMs: number;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** For the local log: what a pair that stands still waits for. */
  readonly onStandstill: (standstill: Standstill) => void;
}

const STALL_AFTER_MS = 60_000;

/** A minute; standstills go to the log. @param attempt its ids alone are logged: a command is one, and holds passwords */
export function loggedWatchdog(log: EngineLog, { jobId, epoch }: JobAttempt): WatchdogSettings {
  return {
    stallAfterMs: STALL_AFTER_MS,
    nowMs: () => performance.now(),
    onStandstill: (standstill) => {
      log.warn({ jobId, epoch, standstill }, 'nothing moves');
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
 * Looks after pairs that copy. One through which no byte has gone for a while is looked into from outside: halfway to the limit
 * what it waits for is told to the log; at the limit it is an error, unless one of the servers is at work for it.
 */
export class Watchdog {
  private readonly pairs = new Set<WatchedPair>();
  private readonly timer: NodeJS.Timeout;

  /** @param onStall told at most once a pair, with a SyncJobError lock_timeout, connection_lost or stalled */
  constructor(
    private readonly settings: WatchdogSettings,
    private readonly onStall: (error: SyncJobError) => void,
  ) {
    this.timer = setInterval(() => {
      for (const pair of this.pairs) void this.lookAfter(pair);
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

  private async lookAfter(pair: WatchedPair): Promise<void> {
    const { stallAfterMs, nowMs, onStandstill } = this.settings;
    const stillForMs = nowMs() - pair.movedAtMs;
    const due = stillForMs >= stallAfterMs ? 'judge' : stillForMs >= stallAfterMs / 2 ? 'tell' : 'nothing';
    if (due === 'nothing' || pair.isLookedInto || (due === 'tell' && pair.isTold)) return;
    const { movedAtMs, tableIndex } = pair;
    pair.isLookedInto = true;
    const [source, target] = await Promise.all([observeSession(pair.source), observeSession(pair.target)]);
    pair.isLookedInto = false;
    // It went on meanwhile, or has ended.
    if (pair.movedAtMs !== movedAtMs || !this.pairs.has(pair)) return;
    onStandstill({ tableIndex, stillForMs, source, target });
    pair.isTold = true;
    if (due === 'tell') return;
    const error = judge(tableIndex, source, target);
    if (error === undefined) pair.moved();
    else this.onStall(error);
  }
}

class WatchedPair implements PairUnderWatch {
  movedAtMs: number;
  tableIndex = 0;
  isTold = false;
  isLookedInto = false;

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
    this.isTold = false;
  }
}

/** @returns undefined when a server is at work: however long it takes, it will go on */
function judge(tableIndex: number, source: SessionState, target: SessionState): SyncJobError | undefined {
  const sides = [
    ['target', target],
    ['source', source],
  ] as const;
  for (const [side, state] of sides) {
    if (state.kind === 'blocked') return new SyncJobError({ code: 'lock_timeout', side, tableIndex });
    if (state.kind === 'gone') return new SyncJobError({ code: 'connection_lost', side, tableIndex });
  }
  if (sides.some(([, { kind }]) => kind === 'working')) return undefined;
  return new SyncJobError({ code: 'stalled', side: 'target', tableIndex });
}
