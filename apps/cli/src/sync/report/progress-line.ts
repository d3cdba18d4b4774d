import type { ProgressReport, TableProgress } from '@understudy/sync-engine';
import { clock } from '../../terminal/progress-text.js';
import { megabytes } from './check-words.js';

const BAR_WIDTH = 20;

/**
 * `copying [########············] 41 %  4,100,000 of 10,000,000 rows, 312,000 rows/s, 45.0 MB/s, 0:19 left · orders 41 %`: one line of at
 * most so many columns.
 * @param work what it is that goes on
 */
export function progressLine(
  report: ProgressReport,
  names: readonly string[],
  columns: number,
  work: string = report.phase,
): string {
  const { phase, tables, rowsPerSecond, bytesPerSecond, remainingMs } = report;
  const [rows, total] = [sum(tables, 'rowsProcessed'), sum(tables, 'rowsTotal')];
  const parts = [`${bar(rows, total)}  ${whole(rows)} of ${whole(total)} rows`];
  if (rowsPerSecond > 0) parts.push(`${whole(rowsPerSecond)} rows/s`, `${megabytes(bytesPerSecond)}/s`);
  if (remainingMs !== undefined && phase === 'copying') parts.push(`${clock(remainingMs / 1000)} left`);
  const text = `${work} ${tables.length === 0 ? '' : parts.join(', ')}${atWork(tables, names)}`;
  return text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`;
}

/** The tables that rows are copied of now. */
function atWork(tables: readonly TableProgress[], names: readonly string[]): string {
  const copying = tables.filter(
    ({ state, rowsProcessed, rowsTotal }) => state === 'copying' && rowsProcessed < rowsTotal,
  );
  if (copying.length === 0) return '';
  const words = copying.map(
    ({ tableIndex, rowsProcessed, rowsTotal }) =>
      `${names[tableIndex] ?? ''} ${percent(rowsProcessed, rowsTotal)} %`,
  );
  return ` · ${words.join(', ')}`;
}

function bar(done: number, total: number): string {
  const full = total === 0 ? 0 : Math.floor(Math.min(1, done / total) * BAR_WIDTH);
  return `[${'#'.repeat(full).padEnd(BAR_WIDTH, '·')}] ${String(percent(done, total)).padStart(3)} %`;
}

function percent(done: number, total: number): number {
  return total === 0 ? 0 : Math.floor(Math.min(1, done / total) * 100);
}

function sum(tables: readonly TableProgress[], field: 'rowsProcessed' | 'rowsTotal'): number {
  return tables.reduce((all, table) => all + table[field], 0);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
