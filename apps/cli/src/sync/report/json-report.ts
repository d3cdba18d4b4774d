import type { ProgressReport } from '@understudy/sync-job';
import { JsonLines } from '../../terminal/json-lines.js';
import type {
  CompletedRun,
  FailedRun,
  Listed,
  NamedCheck,
  PredictedRun,
  RunStart,
  SyncReport,
} from './sync-report.js';

/** Prints one JSON object per line on stdout. Each object has a member `event`. */
export class JsonReport implements SyncReport {
  /** The printed counts of the tables, by table index. */
  private readonly printed = new Map<number, string>();

  /** @param names the names of the tables, in the order of the job */
  constructor(
    private readonly names: readonly string[],
    private readonly lines = new JsonLines(process.stdout),
  ) {}

  begins({ job, source, target, isResumed, isDryRun }: RunStart): void {
    this.lines.event({
      event: 'started',
      ...{ job, source, target, tables: this.names },
      resumed: isResumed,
      dry_run: isDryRun,
    });
  }

  remarks(message: string): void {
    this.lines.event({ event: 'remark', message });
  }

  /** Prints only the tables that have changed since the line before, because a job can have thousands. */
  progress(report: ProgressReport): void {
    this.lines.progress(() => ({
      event: 'progress',
      phase: report.phase,
      rows_per_second: Math.round(report.rowsPerSecond),
      bytes_per_second: Math.round(report.bytesPerSecond),
      remaining_seconds: secondsOf(report.remainingMs),
      build:
        report.build?.map(({ total = null, remainingMs, ...phase }) => ({
          ...{ ...phase, total },
          remaining_seconds: secondsOf(remainingMs),
        })) ?? null,
      tables: report.tables.flatMap((table) => {
        const line = { table: this.names[table.tableIndex], state: table.state, ...countsOf(table) };
        const text = JSON.stringify(line);
        if (this.printed.get(table.tableIndex) === text) return [];
        this.printed.set(table.tableIndex, text);
        return [line];
      }),
    }));
  }

  trained(table: string, column: string): void {
    this.lines.event({ event: 'model_trained', table, column });
  }

  lists({ about, ...listed }: Listed): void {
    this.lines.event({ event: about, ...listed });
  }

  completed({ durationMs, tables, phases, warnings, checks, leftOut }: CompletedRun): void {
    this.lines.event({
      event: 'completed',
      duration_seconds: durationMs / 1000,
      tables: tables.map(({ name, ...table }) => ({ table: name, ...countsOf(table) })),
      phases: phases.map(({ phase, durationMs: ms }) => ({ phase, duration_seconds: ms / 1000 })),
      warnings,
      verification: verificationOf(checks),
      left_out: leftOut ?? null,
    });
  }

  predicted({ problems, problemCount, tables, warnings, leftOut }: PredictedRun): void {
    this.lines.event({
      event: 'predicted',
      ok: problemCount === 0,
      problems,
      problem_count: problemCount,
      tables: tables.map(({ name, rows }) => ({ table: name, rows_expected: rows === 0 ? null : rows })),
      warnings,
      left_out: leftOut ?? null,
    });
  }

  failed({ code, message, details, checks, mayResume }: FailedRun): void {
    const verification = checks.length === 0 ? {} : { verification: verificationOf(checks) };
    this.lines.event({ event: 'failed', code, message, details, may_resume: mayResume, ...verification });
  }

  stopping(): void {
    this.lines.event({ event: 'stopping' });
  }

  stopped(): void {
    this.lines.event({ event: 'stopped' });
  }

  clear(): void {
    // Nothing to do: this report prints only complete lines.
  }
}

function secondsOf(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms / 1000);
}

function countsOf(
  table: Pick<
    ProgressReport['tables'][number],
    'rowsProcessed' | 'rowsTotal' | 'bytesProcessed' | 'bytesTotal'
  >,
) {
  return {
    rows: table.rowsProcessed,
    rows_total: table.rowsTotal,
    bytes: table.bytesProcessed,
    bytes_total: table.bytesTotal,
  };
}

function verificationOf(checks: readonly NamedCheck[]): object {
  return {
    ok: checks.every(({ ok }) => ok),
    checks: checks.map((check) => ({
      check: check.kind,
      table: check.table,
      ...(check.column === undefined ? {} : { column: check.column }),
      ok: check.ok,
      ...(check.kind === 'row_count' ? { rows: check.rows } : { looked_at: check.lookedAt }),
    })),
  };
}
