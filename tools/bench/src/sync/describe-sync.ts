import { formatCounts, formatMebibytes, formatSeconds } from '../format.js';
import type { SyncBenchResult } from './sync-bench.js';

type Part<Name extends keyof SyncBenchResult> = NonNullable<SyncBenchResult[Name]>;

/** Describes the result for a terminal, one line per figure. */
export function describeSync({ copy, tables, accept, memory }: SyncBenchResult): string {
  return [
    ...(copy === undefined ? [] : describeCopy(copy)),
    ...(tables === undefined ? [] : describeTables(tables)),
    ...(accept === undefined ? [] : describeAccept(accept)),
    ...(memory === undefined ? [] : describeMemory(memory)),
  ].join('\n');
}

function describeCopy({ raw_pipe_median_ms, replace, missing, pgcopydb }: Part<'copy'>): string[] {
  const job = (name: string, { median_ms, ratio, phases_ms }: typeof missing) => {
    const phases = Object.entries(phases_ms).map(([phase, ms]) => `${phase} ${formatSeconds(ms)}`);
    return `${name}: ${formatSeconds(median_ms)}, ${ratio.toFixed(2)} × psql | psql${phases.length === 0 ? '' : ` (${phases.join(', ')})`}`;
  };
  return [
    `psql | psql: ${formatSeconds(raw_pipe_median_ms)}`,
    job('sync job, table created', missing),
    job('sync job, table replaced', replace),
    pgcopydb === null
      ? 'pgcopydb: not on this machine'
      : `pgcopydb clone: ${formatSeconds(pgcopydb.median_ms)}; the job that creates the table takes ${pgcopydb.ratio_of_missing.toFixed(2)} × that`,
  ];
}

function describeTables({ tables, missing, replace }: Part<'tables'>): string[] {
  return [
    `${tables} small tables: ${missing.ms_a_table.toFixed(1)} ms to create a table, ${replace.ms_a_table.toFixed(1)} ms to replace one`,
  ];
}

function describeAccept({ tables, columns_of_each, body_bytes, ...times }: Part<'accept'>): string[] {
  return [
    `a job of ${tables} tables with ${columns_of_each} columns each (${formatMebibytes(body_bytes, 1)}):`,
    `accepted in ${formatCounts(times.accept_ms)} ms, slowest response of /readyz ${formatCounts(times.readyz_ms)} ms`,
    `refused because of a new column after ${formatCounts(times.refuse_ms)} ms`,
  ];
}

function describeMemory({ idle_bytes, ...peaks }: Part<'memory'>): string[] {
  const line = ([name, { rows, peak_bytes }]: [string, typeof peaks.large_rows]) =>
    `peak memory of the agent, ${name.replaceAll('_', ' ')} (${rows}): ${formatMebibytes(peak_bytes, 0)}`;
  return [
    `memory of the agent before: ${formatMebibytes(idle_bytes, 0)}`,
    ...Object.entries(peaks).map(line),
  ];
}
