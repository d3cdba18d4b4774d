import type { BuildProgress, ProgressReport, TableProgress } from '@understudy/sync-job';
import { percent } from '../../terminal/numbers.js';
import { progressText } from '../../terminal/progress-text.js';

/**
 * Returns the progress of a job in one line: `copying [########············]  41 %  4,100,000 of 10,000,000 rows,
 * 312,000 rows/s, 45.0 MB/s, 0:19 left · orders 41 %`. While a database is built around the rows, the line is
 * `building indexes [########············]  40 %  12 of 30 steps, 0:19 left`.
 * @param columns the width of the terminal; a longer line is cut
 * @param activity the first word of the line
 */
export function syncProgressText(
  report: ProgressReport,
  names: readonly string[],
  columns: number,
  activity: string = report.phase,
): string {
  const running = report.build?.find(({ state }) => state === 'running');
  if (running !== undefined && running.phase !== 'rows') return cut(buildText(running), columns);
  const { phase, tables, rowsPerSecond, bytesPerSecond, remainingMs } = report;
  const isMoving = rowsPerSecond > 0;
  const progress = progressText(
    {
      done: sum(tables, 'rowsProcessed'),
      total: sum(tables, 'rowsTotal'),
      unit: 'rows',
      perSecond: isMoving ? rowsPerSecond : undefined,
      bytesPerSecond: isMoving ? bytesPerSecond : undefined,
      secondsLeft: phase === 'copying' && remainingMs !== undefined ? remainingMs / 1000 : undefined,
    },
    0,
  );
  const text = `${activity} ${tables.length === 0 ? '' : progress}${tablesInProgress(tables, names)}`;
  return cut(text, columns);
}

function buildText({ phase, done, total, remainingMs }: BuildProgress): string {
  const secondsLeft = remainingMs === undefined ? undefined : remainingMs / 1000;
  return `building ${phase} ${progressText({ done, total, unit: 'steps', secondsLeft })}`;
}

function cut(text: string, columns: number): string {
  return text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`;
}

function tablesInProgress(tables: readonly TableProgress[], names: readonly string[]): string {
  const copying = tables.filter(
    ({ state, rowsProcessed, rowsTotal }) => state === 'copying' && rowsProcessed < rowsTotal,
  );
  if (copying.length === 0) return '';
  const shares = copying.map(
    ({ tableIndex, rowsProcessed, rowsTotal }) =>
      `${names[tableIndex] ?? ''} ${percent(rowsProcessed / rowsTotal)} %`,
  );
  return ` · ${shares.join(', ')}`;
}

function sum(tables: readonly TableProgress[], field: 'rowsProcessed' | 'rowsTotal'): number {
  return tables.reduce((all, table) => all + table[field], 0);
}
