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

/** The fewest rows for which starting a thread saves time. */
const ROWS_PER_THREAD = 10_000;

/**
 * Runs `understudy generate`.
 * @param file the path of the schema as the user wrote it
 */
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
  // Output to stdout needs no cleanup, so Ctrl-C may end the process immediately.
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
  /** Columns that have an array type in the table. */
  readonly arrays: readonly string[];
}

async function openOutput(
  { out, into: url, table }: GenerateOptions,
  { task, range }: RowRun,
  signal: AbortSignal,
): Promise<OpenOutput> {
  if (url === undefined || table === undefined)
    return { output: await OutputFile.create(out ?? ''), arrays: [] };
  // Only --into needs the code for databases, so it is loaded here.
  const { TableOutput } = await import('../database/table-output.js');
  const request = { url, table, columns: task.layout.columns, firstRow: range.from };
  const output = await TableOutput.open(request, signal);
  return { output, arrays: output.arrays };
}

/** Returns the number of threads. 0 means that the main thread generates the rows, which is faster for few rows. */
function threadsFor({ ordered }: SchemaPlan, { range }: GenerateRequest, asked: number | undefined): number {
  if (ordered) {
    const before = range.from === 0 ? '' : `, and also the ${range.from} rows before the range`;
    if (range.from > 0 || (asked ?? 1) > 1)
      printWarning(`a "unique" generator remembers earlier values: one thread generates all rows${before}`);
    return 1;
  }
  const rows = range.to - range.from;
  if (asked !== undefined) return Math.min(asked, rows);
  return rows < ROWS_PER_THREAD ? 0 : Math.min(availableParallelism(), Math.ceil(rows / ROWS_PER_THREAD));
}
