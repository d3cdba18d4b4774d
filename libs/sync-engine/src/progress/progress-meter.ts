import type {
  Prediction,
  ProgressReport,
  SyncFailure,
  SyncJobResult,
  PhaseDuration,
  SyncPhase,
  TableProgress,
} from '@understudy/sync-job';

import { paceOf, STANDING, withReading, type Pace, type Reading } from './throughput.js';
import { PhaseClock } from './phase-clock.js';
import { pendingTable, toProgress, workOf, type TableCounts, type TableSize } from './table-counts.js';

const REPORT_INTERVAL_MS = 1000;
const PACE_WINDOW_MS = 10_000;
const TICK_MS = 250;

/**
 * Counts what a job has done and reports it: at most once a second, never two reports at once, and nothing while there is
 * nothing new.
 */
export class ProgressMeter {
  private tables: TableCounts[] = [];
  private readings: readonly Reading[] = [];
  private readonly clock: PhaseClock;
  private isNews = false;
  private pace: Pace = STANDING;
  private reportedMs: number | undefined;
  private reporting: Promise<void> | undefined;
  private failure: { error: unknown } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly reporter: Pick<JobReporter, 'progress'>,
    private readonly now: () => number,
  ) {
    this.clock = new PhaseClock(now);
  }

  /** From here on it reports by itself, until `stop`. */
  start(): void {
    this.timer = setInterval(() => {
      this.tick();
    }, TICK_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  enter(phase: SyncPhase): void {
    this.clock.enter(phase);
    if (phase === 'verifying') this.tables = this.tables.map((counts) => ({ ...counts, state: phase }));
    this.readings = [];
    this.pace = STANDING;
    this.isNews = true;
    this.measure(this.now()); // rows of an earlier attempt are counted, and are nobody's pace
  }

  /** @param sizes by table index; what was counted before is forgotten */
  expect(sizes: readonly TableSize[]): void {
    this.tables = sizes.map(pendingTable);
    this.readings = [];
    this.isNews = true;
    this.tick();
  }

  /** More rows of a table have moved. Not a method: it is handed to those who move them. */
  readonly moved = (tableIndex: number, rows: number, bytes: number): void => {
    this.change(tableIndex, (counts) => ({
      ...counts,
      rows: counts.rows + rows,
      bytes: counts.bytes + bytes,
      state: 'copying',
    }));
  };

  /** All rows of the table are copied, and its indexes may be built. @param rows how many they are */
  copied(tableIndex: number, rows: number): void {
    this.change(tableIndex, (counts) => ({ ...counts, rows, isCopied: true, state: 'indexing' }));
  }

  /** All rows of the table are read back; with the last table nothing but indexes is left to be waited for. */
  verified(tableIndex: number): void {
    this.change(tableIndex, (counts) => ({ ...counts, state: 'indexing' }));
    if (this.tables.every(({ state }) => state !== 'verifying')) this.enter('indexing');
  }

  completed(tableIndex: number): void {
    this.change(tableIndex, (counts) => ({ ...counts, state: 'completed' }));
  }

  snapshot(): readonly TableProgress[] {
    return this.tables.map(toProgress);
  }

  phases(): readonly PhaseDuration[] {
    return this.clock.phases();
  }

  /** Reports if there is something to report and it is time. */
  tick(): void {
    const now = this.now();
    const sinceMs = now - (this.reportedMs ?? -Infinity);
    if (this.reporting !== undefined || (sinceMs >= 0 && sinceMs < REPORT_INTERVAL_MS)) return;
    // A pace is news until it is known to be none.
    if (!this.isNews && this.pace.bytesPerSecond === 0) return;
    this.isNews = false;
    this.reportedMs = now;
    this.measure(now);
    this.report();
  }

  /** Waits for the report under way. @throws what a report threw */
  async settle(): Promise<void> {
    await this.reporting;
    if (this.failure !== undefined) throw this.failure.error;
  }

  private change(tableIndex: number, to: (counts: TableCounts) => TableCounts): void {
    const counts = this.tables[tableIndex];
    if (counts === undefined) return;
    this.tables[tableIndex] = to(counts);
    this.isNews = true;
  }

  private measure(now: number): void {
    if (this.clock.current !== 'copying') return;
    const { done, remaining } = workOf(this.tables);
    const sum = (of: 'rows' | 'bytes') => this.tables.reduce((total, counts) => total + counts[of], 0);
    const next = { atMs: now, rows: sum('rows'), bytes: sum('bytes'), work: done };
    this.readings = withReading(this.readings, next, PACE_WINDOW_MS);
    this.pace = paceOf(this.readings, remaining);
  }

  private report(): void {
    this.reporting = this.reporter
      .progress({ tables: this.snapshot(), phase: this.clock.current, ...this.pace })
      .catch((error: unknown) => {
        this.failure = { error };
      })
      .finally(() => {
        this.reporting = undefined;
      });
  }
}

/**
 * The only way out for a job: counts, indexes and hashes. Each call journals one event before it returns;
 * delivery to the control plane goes on in the background until it is acknowledged.
 */
export interface JobReporter {
  started(): Promise<void>;
  progress(report: ProgressReport): Promise<void>;
  /** @param hash 32 bytes, HMAC-SHA-256 of the model's file under the agent's model key */
  modelTrained(tableIndex: number, columnIndex: number, hash: Uint8Array): Promise<void>;
  completed(result: SyncJobResult & { readonly durationMs: number }): Promise<void>;
  /** The end of a dry run. */
  predicted(prediction: Prediction): Promise<void>;
  failed(failure: SyncFailure): Promise<void>;
  /** Resolves when the control plane has everything up to the end: completed or failed. */
  readonly confirmed: Promise<void>;
}
