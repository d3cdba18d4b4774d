import type { ProgressReport } from '@understudy/sync-job';
import { coloursOf } from '../../terminal/colours.js';
import { count, formatBytes } from '../../terminal/numbers.js';
import { ProgressLine } from '../../terminal/progress-line.js';
import { printLine, printWarning } from '../../terminal/messages.js';
import { verificationText } from './check-text.js';
import { syncProgressText } from './sync-progress.js';
import type {
  CompletedRun,
  FailedRun,
  NamedCheck,
  PredictedRun,
  RunStart,
  SyncReport,
} from './sync-report.js';

/** For somebody who looks on: a bar on stderr while it goes on, a line for each table that is copied, and the end on stdout. */
export class TerminalReport implements SyncReport {
  private readonly bar = new ProgressLine();
  private readonly told = new Set<number>();

  /** @param names of the tables, in the order of the job */
  constructor(private readonly names: readonly string[]) {}

  begins({ job, source, target, tables, isResumed, isDryRun }: RunStart): void {
    const what = isDryRun ? 'looks at' : isResumed ? 'goes on with' : 'copies';
    this.say(`${job}: ${what} ${count(tables, 'table')} of ${source} into ${target}`);
  }

  remarks(text: string): void {
    this.say(text);
  }

  progress(report: ProgressReport): void {
    for (const { tableIndex, rowsProcessed, bytesProcessed, state } of report.tables) {
      if (state === 'pending' || state === 'copying' || this.told.has(tableIndex)) continue;
      this.told.add(tableIndex);
      this.say(
        `  copied ${this.names[tableIndex] ?? ''}: ${count(rowsProcessed, 'row')}, ${formatBytes(bytesProcessed)}`,
      );
    }
    this.bar.show(() => syncProgressText(report, this.names, process.stderr.columns ?? 80));
  }

  trained(table: string, column: string): void {
    this.say(`  trained a private model on ${table}.${column}`);
  }

  completed({ durationMs, tables, warnings, checks }: CompletedRun): void {
    this.clear();
    for (const { message } of warnings) printWarning(message);
    const { green, dim } = coloursOf(process.stdout);
    const rows = tables.reduce((sum, { rowsProcessed }) => sum + rowsProcessed, 0);
    const bytes = tables.reduce((sum, { bytesProcessed }) => sum + bytesProcessed, 0);
    const seconds = (durationMs / 1000).toFixed(1);
    printLine(
      `${green('done')}: ${count(rows, 'row')} of ${count(tables.length, 'table')} (${formatBytes(bytes)}) in ${seconds} s`,
    );
    printLine(`verified: ${count(checks.length, 'check')} made, all hold`);
    for (const { name } of tables) {
      const own = checks.filter(({ table }) => table === name);
      printLine(dim(`  ${name}: ${own.map(verificationText).join(', ')}`));
    }
  }

  predicted({ problems, problemCount, tables, warnings }: PredictedRun): void {
    this.clear();
    for (const { message } of warnings) printWarning(message);
    const { green, red } = coloursOf(process.stdout);
    for (const { name, rows } of tables)
      printLine(`  ${name}: ${rows === 0 ? 'fewer than ten rows' : `about ${count(rows, 'row')}`}`);
    if (problemCount === 0) {
      printLine(`${green('nothing is known to stand in the way')}; nothing was written`);
      return;
    }
    printLine(`${red(`${count(problemCount, 'problem')}`)} would end the job; nothing was written`);
    for (const { message, details } of problems) {
      printLine(`  ${message}`);
      for (const detail of details ?? []) printLine(`    ${detail.field}: ${detail.message}`);
    }
  }

  /** What failed is told on stderr by whoever ends the command. */
  failed({ checks }: FailedRun): void {
    this.clear();
    for (const check of checks.filter(({ ok }) => !ok)) printLine(`  does not hold: ${failedCheck(check)}`);
  }

  stopping(): void {
    this.say(
      'stopping: the target stays as it was. Ctrl-C again ends at once, and leaves to the next run to clear up',
    );
  }

  stopped(): void {
    this.say('stopped: the target is as it was');
  }

  clear(): void {
    this.bar.clear();
  }

  private say(line: string): void {
    this.clear();
    process.stderr.write(`${line}\n`);
  }
}

function failedCheck(check: NamedCheck): string {
  const place = check.column === undefined ? check.table : `${check.table}.${check.column}`;
  if (check.kind !== 'row_count') return `${place}: ${verificationText(check)}`;
  const { source, copied, target } = check.rows;
  return `${place}: rows are ${source} in the source, ${copied} copied, ${target} in the target`;
}
