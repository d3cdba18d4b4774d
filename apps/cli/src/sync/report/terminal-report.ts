import type { BuildPhase, ProgressReport } from '@understudy/sync-job';
import { coloursOf } from '../../terminal/colours.js';
import { count, formatBytes, formatNumber } from '../../terminal/numbers.js';
import type { Progress } from '../../terminal/progress-log.js';
import { printLine, printWarning } from '../../terminal/messages.js';
import { verificationText } from './check-text.js';
import { namesText } from './names-text.js';
import { syncProgressText } from './sync-progress.js';
import type {
  CompletedRun,
  FailedRun,
  Listed,
  NamedCheck,
  PredictedRun,
  RunStart,
  SyncReport,
} from './sync-report.js';

/**
 * Reports to a person at a terminal. Prints a progress bar and a line for each copied table on stderr, and the result
 * on stdout.
 */
export class TerminalReport implements SyncReport {
  private readonly reported = new Set<number>();
  private readonly built = new Set<BuildPhase>();
  private readonly listed: Listed[] = [];

  /** @param names the names of the tables, in the order of the job */
  constructor(
    private readonly names: readonly string[],
    private readonly bar: Progress,
  ) {}

  begins({ job, source, target, tables, isResumed, isDryRun }: RunStart): void {
    const activity = isDryRun ? 'checking the copy of' : isResumed ? 'continuing to copy' : 'copying';
    this.print(`${job}: ${activity} ${count(tables, 'table')} from ${source} to ${target}`);
  }

  remarks(text: string): void {
    this.print(text);
  }

  progress(report: ProgressReport): void {
    for (const { tableIndex, rowsProcessed, bytesProcessed, state } of report.tables) {
      if (state === 'pending' || state === 'copying' || this.reported.has(tableIndex)) continue;
      this.reported.add(tableIndex);
      this.print(
        `  copied ${this.names[tableIndex] ?? ''}: ${count(rowsProcessed, 'row')}, ${formatBytes(bytesProcessed)}`,
      );
    }
    for (const { phase, state, done } of report.build ?? []) {
      if (state !== 'completed' || phase === 'rows' || done === 0 || this.built.has(phase)) continue;
      this.built.add(phase);
      this.print(`  built ${phase}: ${count(done, 'step')}`);
    }
    this.bar.show(() => syncProgressText(report, this.names, process.stderr.columns ?? 80));
  }

  trained(table: string, column: string): void {
    this.print(`  trained a private model on ${table}.${column}`);
  }

  lists(listed: Listed): void {
    this.listed.push(listed);
  }

  completed({ durationMs, tables, warnings, checks }: CompletedRun): void {
    this.clear();
    for (const { message } of warnings) printWarning(message);
    const { green, dim } = coloursOf(process.stdout);
    const rows = tables.reduce((sum, { rowsProcessed }) => sum + rowsProcessed, 0);
    const bytes = tables.reduce((sum, { bytesProcessed }) => sum + bytesProcessed, 0);
    const seconds = (durationMs / 1000).toFixed(1);
    printLine(
      `${green('done')}: copied ${count(rows, 'row')} of ${count(tables.length, 'table')} (${formatBytes(bytes)}) in ${seconds} s`,
    );
    printLine(`verified: ${count(checks.length, 'check')}, all passed`);
    for (const { name } of tables) {
      const own = checks.filter(({ table }) => table === name);
      printLine(dim(`  ${name}: ${own.map(verificationText).join(', ')}`));
    }
    this.printNames();
  }

  predicted({ problems, problemCount, tables, warnings }: PredictedRun): void {
    this.clear();
    for (const { message } of warnings) printWarning(message);
    const { green, red } = coloursOf(process.stdout);
    for (const { name, rows } of tables)
      printLine(`  ${name}: ${rows === 0 ? 'fewer than ten rows' : `about ${count(rows, 'row')}`}`);
    this.printNames();
    if (problemCount === 0) {
      printLine(`${green('no problems found')}; nothing was written`);
      return;
    }
    printLine(`${red(`${count(problemCount, 'problem')}`)} would make the job fail; nothing was written`);
    for (const { message, details } of problems) {
      if (details.length < 2) printLine(`  ${message}`);
      for (const detail of details) {
        if (details.length > 1 || detail.message !== message)
          printLine(`  ${detail.field}: ${detail.message}`);
      }
    }
  }

  /** Prints the failed checks. The failure itself is printed on stderr when the command ends. */
  failed({ checks }: FailedRun): void {
    this.clear();
    for (const check of checks.filter(({ ok }) => !ok)) printLine(`  failed check: ${failedCheck(check)}`);
  }

  stopping(): void {
    this.print(
      'stopping: the target stays unchanged. Press Ctrl-C again to end immediately; the next run then cleans up',
    );
  }

  stopped(): void {
    this.print('stopped: the target is unchanged');
  }

  clear(): void {
    this.bar.clear();
  }

  private printNames(): void {
    for (const line of this.listed.flatMap(namesText)) printLine(line);
  }

  private print(line: string): void {
    this.clear();
    process.stderr.write(`${line}\n`);
  }
}

function failedCheck(check: NamedCheck): string {
  const path = check.column === undefined ? check.table : `${check.table}.${check.column}`;
  if (check.kind !== 'row_count') return `${path}: ${verificationText(check)}`;
  const { source, copied, target } = check.rows;
  return `${path}: the source has ${count(source, 'row')}, ${formatNumber(copied)} were copied, and the target has ${formatNumber(target)}`;
}
