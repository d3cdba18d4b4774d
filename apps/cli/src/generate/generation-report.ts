import { StandardOutput } from '../io/standard-output.js';
import { formatNumber } from '../terminal/numbers.js';
import type { RowRange } from './generation-task.js';
import type { RowTotals } from './write-rows.js';

export interface GenerationReport extends RowTotals, RowRange {
  readonly out?: string;
  readonly table?: string;
  readonly seed: number;
  readonly json?: true;
}

/** Prints the report of a generation on stdout, as text or as one JSON object. */
export async function writeReport(report: GenerationReport): Promise<void> {
  await new StandardOutput().write(report.json ? `${JSON.stringify(toJson(report))}\n` : toText(report));
}

function toJson({ out, table, rows, from, to, bytes, seconds, seed }: GenerationReport): unknown {
  const destination = out === undefined ? { table } : { file: out };
  return { ...destination, rows, from, to, bytes, seconds, rows_per_second: rows / seconds, seed };
}

function toText({ out, table, rows, bytes, seconds }: GenerationReport): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  return `${out ?? table ?? ''}: ${formatNumber(rows)} rows, ${size} in ${seconds.toFixed(1)} s (${formatNumber(Math.round(rows / seconds))} rows/s)\n`;
}
