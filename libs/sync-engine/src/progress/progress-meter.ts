import {
  defined,
  type JobEvent,
  type PhaseDuration,
  type SyncPhase,
  type TableProgress,
} from '@understudy/sync-job';

import {
  throughputOf,
  NO_THROUGHPUT,
  withSample,
  type Throughput,
  type ProgressSample,
} from './throughput.js';
import { BuildMeter, type BuildRows } from './build-meter.js';
import { PhaseClock } from './phase-clock.js';
import { pendingTable, toProgress, workOf, type TableCounts, type TableSize } from './table-counts.js';

const REPORT_INTERVAL_MS = 1000;
/** Each report has all tables, so a job with many tables reports less often. */
const INTERVAL_OF_TABLE_MS = 0.5;
const THROUGHPUT_WINDOW_MS = 10_000;
const TICK_MS = 250;

/**
 * Counts the copied rows and bytes of a job and reports them. It sends at most one report a second, and none
 * while the previous one is being written. After it has reported a throughput of zero, it sends the next
 * report only when the phase or the progress of a table changes.
 */
export class ProgressMeter {
  /** The meter of the build; undefined if the job builds no database. */
  readonly build: BuildMeter | undefined;
  private tables: TableCounts[] = [];
  private samples: readonly ProgressSample[] = [];
  private readonly clock: PhaseClock;
  private hasChanges = false;
  private throughput: Throughput = NO_THROUGHPUT;
  private reportedMs: number | undefined;
  private reporting: Promise<void> | undefined;
  private failure: { error: unknown } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly reporter: { report(event: ProgressEvent): Promise<void> },
    private readonly now: () => number,
    isBuild = false,
  ) {
    this.clock = new PhaseClock(now);
    const sizeOf = (tableIndex: number) => this.tables[tableIndex]?.size.bytes ?? 0;
    const onChange = () => (this.hasChanges = true);
    this.build = isBuild ? new BuildMeter(now, sizeOf, onChange) : undefined;
  }

  /** Starts reporting on a timer. `stop` ends it. */
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
    this.samples = [];
    this.throughput = NO_THROUGHPUT;
    this.hasChanges = true;
    this.measure(this.now()); // rows of an earlier attempt must not count as throughput
  }

  /** Sets the expected sizes and resets all counts. @param sizes by table index */
  expect(sizes: readonly TableSize[]): void {
    this.tables = sizes.map(pendingTable);
    this.samples = [];
    this.hasChanges = true;
    this.tick();
  }

  /** Adds copied rows and bytes of a table. Can be passed as a callback. */
  readonly moved = (tableIndex: number, rows: number, bytes: number): void => {
    this.change(tableIndex, (counts) => ({
      ...counts,
      rows: counts.rows + rows,
      bytes: counts.bytes + bytes,
      state: 'copying',
    }));
  };

  /** Marks a table whose rows are all copied. @param rows the number of its rows */
  copied(tableIndex: number, rows: number): void {
    this.change(tableIndex, (counts) => ({ ...counts, rows, isCopied: true, state: 'indexing' }));
  }

  /**
   * Marks a table whose rows have all been read back. After the last table only index builds remain, so the
   * phase becomes `indexing`.
   */
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

  /** Sends a report if one is due. */
  tick(): void {
    const now = this.now();
    const sinceMs = now - (this.reportedMs ?? -Infinity);
    const intervalMs = Math.max(REPORT_INTERVAL_MS, this.tables.length * INTERVAL_OF_TABLE_MS);
    if (this.reporting !== undefined || (sinceMs >= 0 && sinceMs < intervalMs)) return;
    // After the copy has stopped, reports continue until one of them contains a throughput of zero.
    if (!this.hasChanges && this.throughput.bytesPerSecond === 0) return;
    this.hasChanges = false;
    this.reportedMs = now;
    this.measure(now);
    this.report();
  }

  /** Waits until the current report has finished. @throws the error of a failed report */
  async flush(): Promise<void> {
    await this.reporting;
    if (this.failure !== undefined) throw this.failure.error;
  }

  private change(tableIndex: number, to: (counts: TableCounts) => TableCounts): void {
    const counts = this.tables[tableIndex];
    if (counts === undefined) return;
    this.tables[tableIndex] = to(counts);
    this.hasChanges = true;
  }

  private measure(now: number): void {
    if (this.clock.current !== 'copying') return;
    const { done, remaining } = workOf(this.tables);
    const sum = (of: 'rows' | 'bytes') => this.tables.reduce((total, counts) => total + counts[of], 0);
    const next = { atMs: now, rows: sum('rows'), bytes: sum('bytes'), work: done };
    this.samples = withSample(this.samples, next, THROUGHPUT_WINDOW_MS);
    this.throughput = throughputOf(this.samples, remaining);
  }

  private report(): void {
    const tables = this.snapshot();
    const build = this.build?.report(this.rowsOf(tables));
    const event = { type: 'progress', tables, phase: this.clock.current, ...this.throughput } as const;
    this.reporting = this.reporter
      .report({ ...event, ...defined({ build }) })
      .catch((error: unknown) => {
        this.failure = { error };
      })
      .finally(() => {
        this.reporting = undefined;
      });
  }

  private rowsOf(tables: readonly TableProgress[]): BuildRows {
    const sum = (of: 'rowsProcessed' | 'rowsTotal') => tables.reduce((all, table) => all + table[of], 0);
    const { remainingMs } = this.throughput;
    const total = tables.length === 0 ? undefined : sum('rowsTotal');
    return { done: sum('rowsProcessed'), ...defined({ total, remainingMs }) };
  }
}

type ProgressEvent = Extract<JobEvent, { readonly type: 'progress' }>;

/** Reports the events of an attempt of a job. */
export interface JobReporter {
  /**
   * Resolves after the event is written to the journal. The agent sends the event until the control plane acknowledges
   * it.
   */
  report(event: JobEvent): Promise<void>;
  /** Resolves when the control plane has acknowledged all events up to the end of the job. */
  readonly confirmed: Promise<void>;
}
