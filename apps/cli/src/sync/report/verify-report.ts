import type { TargetCheck } from '@understudy/sync-engine';
import type { FailureError, ProgressReport } from '@understudy/sync-job';
import { coloursOf } from '../../terminal/colours.js';
import { JsonLines } from '../../terminal/json-lines.js';
import { count } from '../../terminal/numbers.js';
import { printLine } from '../../terminal/messages.js';
import type { Progress } from '../../terminal/progress-log.js';
import { targetCheckText } from './check-text.js';
import { syncProgressText } from './sync-progress.js';

/** Receives the progress and the results of a verification. Gets names and counts, but no values of rows. */
export interface VerifyReport {
  /** Reports the progress of recomputing masked rows. */
  progress(report: ProgressReport): void;
  checked(checks: readonly TargetCheck[]): void;
  /** Reports why the verification could not run. The failure is also printed on stderr when the command ends. */
  failed(error: FailureError): void;
  /** Removes the progress line. Called before other code prints on the terminal. */
  clear(): void;
}

/** Prints one JSON object per line on stdout for programs. The checks are in the last line. */
export class JsonVerifyReport implements VerifyReport {
  private readonly lines = new JsonLines(process.stdout);

  /** @param names the names of the tables, in the order of the job */
  constructor(private readonly names: readonly string[]) {}

  progress({ tables, rowsPerSecond }: ProgressReport): void {
    this.lines.progress(() => ({
      event: 'progress',
      phase: 'verifying',
      rows_per_second: Math.round(rowsPerSecond),
      tables: tables.map(({ tableIndex, rowsProcessed, rowsTotal }) => ({
        table: this.names[tableIndex],
        rows: rowsProcessed,
        rows_total: rowsTotal,
      })),
    }));
  }

  checked(checks: readonly TargetCheck[]): void {
    this.lines.event({
      event: 'verified',
      ok: checks.every(({ outcome }) => outcome !== 'fails'),
      checks: checks.map((check) => ({
        check: check.kind,
        table: this.names[check.tableIndex],
        outcome: check.outcome,
        ...factsOf(check),
        message: targetCheckText(check),
      })),
    });
  }

  failed(error: FailureError): void {
    this.lines.event({ event: 'failed', ...error });
  }

  clear(): void {
    // Nothing to do: this report prints only complete lines.
  }
}

function factsOf(check: TargetCheck): object {
  if (check.kind === 'table') return {};
  if (check.kind === 'row_count') return { rows: { ...check.rows, copied: check.rows.copied ?? null } };
  if (check.kind === 'recomputed_columns')
    return { columns: check.columns, differing: check.differing, reason: check.reason ?? null };
  if (check.kind !== 'masked_column') return { looked_at: check.lookedAt };
  const { column, pairs, equal, differs } = check;
  return { column, rows: pairs, equal, rule_differs: differs };
}

/** Prints the checks as text on stdout, with a progress bar on stderr. */
export class TerminalVerifyReport implements VerifyReport {
  /** @param names the names of the tables, in the order of the job */
  constructor(
    private readonly names: readonly string[],
    private readonly bar: Progress,
  ) {}

  progress(report: ProgressReport): void {
    const text = () => syncProgressText(report, this.names, process.stderr.columns ?? 80, 'recomputing');
    this.bar.show(text);
  }

  checked(checks: readonly TargetCheck[]): void {
    const { green, red, yellow } = coloursOf(process.stdout);
    for (const [index, name] of this.names.entries()) {
      const own = checks.filter(({ tableIndex }) => tableIndex === index);
      const of = (outcome: TargetCheck['outcome']): readonly string[] =>
        own.filter((check) => check.outcome === outcome).map(targetCheckText);
      printLine(`${name}: ${of('holds').join(', ') || 'no check passed'}`);
      for (const words of of('not_comparable')) printLine(`  ${yellow('not compared')}: ${words}`);
      for (const words of of('fails')) printLine(`  ${red('failed')}: ${words}`);
    }
    const holding = checks.filter(({ outcome }) => outcome === 'holds').length;
    const isFine = checks.every(({ outcome }) => outcome !== 'fails');
    printLine(
      isFine ? `${green('verified')}: ${count(holding, 'check')}, all passed` : red('verification failed'),
    );
  }

  failed(): void {
    // The command prints the failure on stderr when it ends.
  }

  clear(): void {
    this.bar.clear();
  }
}
