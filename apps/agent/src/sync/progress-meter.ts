import type { JobReporter, TableProgress } from './job-reporter.js';

const INTERVAL_MS = 500;

/** Counts a job's rows and reports them, at most twice a second and never two reports at once. */
export class ProgressMeter {
  private readonly tables: TableProgress[];
  private lastMs = 0;
  private reporting: Promise<void> | undefined;
  private failure: { error: unknown } | undefined;

  /** @param totals expected rows, by table index */
  constructor(
    private readonly reporter: Pick<JobReporter, 'progress'>,
    totals: readonly number[],
    private readonly now: () => number,
  ) {
    this.tables = totals.map((rowsTotal, tableIndex) => ({
      tableIndex,
      rowsProcessed: 0,
      rowsTotal,
      state: 'pending',
    }));
  }

  /** @param more rows since the last call */
  moved(tableIndex: number, more: number): void {
    const rows = (this.tables[tableIndex]?.rowsProcessed ?? 0) + more;
    const rowsTotal = Math.max(this.tables[tableIndex]?.rowsTotal ?? 0, rows);
    this.tables[tableIndex] = { tableIndex, rowsProcessed: rows, rowsTotal, state: 'copying' };
    const now = this.now();
    if (now - this.lastMs < INTERVAL_MS || this.reporting !== undefined) return;
    this.lastMs = now;
    this.report();
  }

  completed(tableIndex: number, rows: number): void {
    this.tables[tableIndex] = { tableIndex, rowsProcessed: rows, rowsTotal: rows, state: 'completed' };
  }

  snapshot(): readonly TableProgress[] {
    return [...this.tables];
  }

  /** Waits for the report under way. @throws what a report threw */
  async settle(): Promise<void> {
    await this.reporting;
    if (this.failure !== undefined) throw this.failure.error;
  }

  private report(): void {
    this.reporting = this.reporter
      .progress(this.snapshot())
      .catch((error: unknown) => {
        this.failure = { error };
      })
      .finally(() => {
        this.reporting = undefined;
      });
  }
}
