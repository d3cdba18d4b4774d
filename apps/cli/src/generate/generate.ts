import type { SchemaPlan } from '@understudy/generator';
import { availableParallelism } from 'node:os';

import { OutputFile, type RowOutput } from '../io/output-file.js';
import { StandardOutput } from '../io/standard-output.js';
import { interruptible } from '../terminal/interruption.js';
import { printWarning } from '../terminal/messages.js';
import { checkTask, readTask } from './read-task.js';
import { type GenerateOptions, type GenerateRequest, readRequest } from './generate-options.js';
import { writeReport } from './generation-report.js';
import { type RowRun, writeRows } from './write-rows.js';

/** A thread is worth its start for so many rows. */
const ROWS_PER_THREAD = 10_000;

/** @param file the schema, as the user named it */
export async function generate(file: string, options: GenerateOptions): Promise<void> {
  const request = readRequest(options);
  const task = await readTask(file, options);
  const plan = checkTask(file, task, options.count);
  if (options.seed === undefined) process.stderr.write(`seed ${task.seed}\n`);
  const { range, ...layout } = request;
  const run: RowRun = {
    file,
    task: { ...task, layout: { ...layout, columns: plan.output, count: options.count } },
    range,
    threads: threadsFor(plan, request, options.threads),
  };
  // To stdout there is nothing to put back: a Ctrl-C ends the process at once, whatever it is doing.
  if (options.out === undefined && options.into === undefined) {
    await writeRows(run, new StandardOutput());
    return;
  }
  const totals = await interruptible(async (signal) => {
    const { output, arrays } = await openOutput(options, run, signal);
    const task = { ...run.task, layout: { ...run.task.layout, arrays } };
    return writeRows({ ...run, task, threads: Math.max(1, run.threads) }, output, signal);
  });
  await writeReport({ ...totals, ...range, ...options, seed: task.seed });
}

interface OpenOutput {
  readonly output: RowOutput;
  /** Columns that take arrays of the server's own. */
  readonly arrays: readonly string[];
}

async function openOutput(
  { out, into: url, table }: GenerateOptions,
  { task, range }: RowRun,
  signal: AbortSignal,
): Promise<OpenOutput> {
  if (url === undefined || table === undefined)
    return { output: await OutputFile.create(out ?? ''), arrays: [] };
  // Loaded where a database is asked for.
  const { TableOutput } = await import('../database/table-output.js');
  const request = { url, table, columns: task.layout.columns, firstRow: range.from };
  const output = await TableOutput.open(request, signal);
  return { output, arrays: output.arrays };
}

/** 0: few rows are made faster without. */
function threadsFor({ ordered }: SchemaPlan, { range }: GenerateRequest, asked: number | undefined): number {
  if (ordered) {
    const before = range.from === 0 ? '' : `; the ${range.from} rows before the first are made too`;
    if (range.from > 0 || (asked ?? 1) > 1)
      printWarning(`a "unique" has to remember: one thread makes all rows${before}`);
    return 1;
  }
  const rows = range.to - range.from;
  if (asked !== undefined) return Math.min(asked, rows);
  return rows < ROWS_PER_THREAD ? 0 : Math.min(availableParallelism(), Math.ceil(rows / ROWS_PER_THREAD));
}
